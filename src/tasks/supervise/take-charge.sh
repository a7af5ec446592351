# How a shell takes charge of a task ($_base): it names itself, once for all shells that may try, and ends if another one was
# first or the launch was withdrawn. Needs the place for the ending ($_draft).

# Creates a file; never over or through what is there.
create() {
  set -C
  { printf '%s' "$2" > "$1"; } 2> /dev/null
  set -- $?
  set +C
  return "$1"
}

# Writes the ending (the members of a JSON object) and gives it its name. All at once, not line by line: half of it is no
# JSON, so nobody takes it for the whole. Its draft then leaves running/ for ended/. If it could not get its name, the draft
# stays: the first reader who sees it does the rest.
end() {
  printf '{"schemaVersion":1,%s}' "$1" 1<> "$_draft"
  ln "$_draft" "$_base.end.json"
  [ -e "$_base.end.json" ] || return
  mv -f "$_draft" "${_draft%/*/*}/ended/${_draft##*/}"
  for _file in exit why.timeout why.output-limit why.given-up; do
    [ ! -e "$_base.$_file" ] || rm -f "$_base.$_file"
  done
} 2> /dev/null

take_charge() {
  _start= _boot= _is_full=
  if { read -r _stat < "/proc/$$/stat"; } 2> /dev/null; then
    set -- ${_stat##*) }
    shift 19
    _start=$1
    read -r _boot < /proc/sys/kernel/random/boot_id
  fi
  if create "$_base.run" ""; then
    printf '{"pid":%s,"startTime":"%s","bootId":"%s"}\n' "$$" "$_start" "$_boot" >> "$_base.run" || _is_full=1
  elif [ -e "$_base.run" ]; then
    exit
  else
    _is_full=1
  fi 2> /dev/null
  if [ -n "$_is_full" ]; then
    end '"reason":"lost","cause":"there was no room for its files"'
    exit
  fi
  if [ ! -e "$_base.json" ]; then
    rm -f "$_base.run"
    exit
  fi
}
