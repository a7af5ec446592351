# --keep-tail where the head of a file can be taken away while others write to it. Read only by tasks that ask for it.

# Adds to $_left what was taken from the head of the output $2 (descriptor $1), and takes more if there is still no room: all but
# half of the limit. What was taken is a hole, so that offsets stay true.
keep_tail() {
  _cut=0
  [ ! -e "$2.cut" ] || read -r _cut < "$2.cut"
  _left=$((_left + _cut))
  [ "$_left" -lt 0 ] || return
  _cut=$((_size - _limit / 2))
  # Said before it is done, so that nobody takes the hole for output.
  if printf '%s\n' "$_cut" > "$2.cut.new" && mv -f "$2.cut.new" "$2.cut" && fallocate -p -o 0 -l "$_cut" "/proc/self/fd/$1"; then
    _left=$((_limit / 2))
  else
    rm -f "$2.cut"
  fi
}
