# --keep-tail where nothing can take the head of a file away that others write to (macOS). The command writes into a pipe; a process
# of ours appends that to the file, and makes the file anew when it is too large, with a hole in the place of its head: so offsets
# stay true, and readers see one output. Read only there, and only by tasks that ask for it.

# The command opens its pipes, which wait for each other's ends.
prepare_command() {
  exec > "$_base.output.pipe"
  if [ -e "$_base.stderr" ]; then exec 4> "$_base.stderr.pipe"; else exec 4>&1; fi
}

# Starts what writes the outputs, beside the watchers.
start_writers() {
  for _file in "$_base.output" "$_base.stderr"; do
    [ -e "$_file" ] || continue
    mkfifo "$_file.pipe"
    write_output "$_file" < "$_file.pipe" > /dev/null 2>&1 &
    _writers="$_writers $!"
  done
}

# Appends what comes to the file $1, until nobody can write any more. One read is one block at most, so nothing waits for more.
write_output() {
  trap '' USR1
  rm -f "$1.pipe"
  _block=$((_limit / 8 < 65536 ? _limit / 8 + 1 : 65536)) _size=0 _cut=0
  while
    _before=$_size
    dd bs="$_block" count=$(((_limit - _size + _cut) / _block + 1)) >> "$1"
    _size=$(($(wc -c < "$1")))
    [ "$_size" -gt "$_before" ]
  do [ $((_size - _cut)) -le "$_limit" ] || cut_head "$1"; done
}

# Leaves half of the limit. Said before it is done, so that nobody takes the hole for output.
cut_head() {
  _blocks=$(((_size - _limit / 2) / _block))
  _cut=$((_blocks * _block))
  printf '%s\n' "$_cut" > "$1.cut.new" && mv -f "$1.cut.new" "$1.cut" &&
    dd bs="$_block" skip="$_blocks" seek="$_blocks" if="$1" of="$1.new" && mv -f "$1.new" "$1" || rm -f "$1.new"
}

# Adds to $_left what was taken from the head of the output $2, and as much again for what is about to be: the task ends only if that
# cannot be done.
keep_tail() {
  _cut=0
  [ ! -e "$2.cut" ] || read -r _cut < "$2.cut"
  _left=$((_left + _cut + _limit))
}

# The line has ended when the outputs are written, too.
await_line() {
  while read -r _x <&8; do :; done
  wait $_writers
}
