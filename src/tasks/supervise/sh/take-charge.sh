# How a shell takes charge of a task: it names itself in $_base.run, once for all shells that may try.

# Creates a file with this text; never over or through what is there. Fails if something is.
create() {
  set -C
  { printf '%s' "$2" > "$1"; } 2> /dev/null
  set -- $?
  set +C
  return "$1"
}

# Returns only to the one shell that supervises the task. Another one ends, and so does one whose launch was withdrawn.
take_charge() {
  identify
  if create "$_base.run" ""; then
    printf '{"pid":%s,"startTime":"%s","bootId":"%s"}\n' "$$" "$_start" "$_boot" >> "$_base.run" || _is_full=1
  else
    [ ! -e "$_base.run" ] || exit
    _is_full=1
  fi 2> /dev/null
  if [ -n "$_is_full" ]; then
    write_ending '"reason":"lost","cause":"there was no room for its files"'
    exit
  fi
  [ ! -e "$_base.json" ] || return 0
  rm -f "$_base.run"
  exit
}
