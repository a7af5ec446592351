# How whoever ends, or takes a place, wakes those that wait for it (queue.sh). A wake is only a reason to look again: one too many
# does no harm, and the next one, or whoever looks at the queue, makes up for one that got lost.

# Wakes all that wait for certain tasks, and the first in each line. What was left by one that was killed is removed. So is the
# file that is made in the place of a pipe which its owner removes in this moment; its owner wakes the next one afterwards.
wake_waiting() {
  _woken=
  for _file in "$_waiting"/*.*.*.*; do
    _kind=${_file##*/} _kind=${_kind%%.*}
    [ "$_kind" != "$_woken" ] && [ -e "$_file" ] || continue
    if ! kill -0 "${_file##*.}"; then
      rm -f "$_file"
    elif [ -p "$_file" ]; then
      echo 1<> "$_file"
      [ ! -f "$_file" ] || rm -f "$_file"
      [ "$_kind" = after ] || _woken=$_kind
    fi
  done
} 2> /dev/null
