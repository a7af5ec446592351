# How the ending of a task wakes those that wait for it (queue.sh).

# Wakes all that wait for certain tasks, and the first in the line. A pipe whose owner was killed is removed. So is the file that
# is made in the place of a pipe which its owner removes in this moment; its owner wakes the next one afterwards.
wake_waiting() {
  for _file in "$_waiting"/after.* "$_waiting"/line.*; do
    [ -p "$_file" ] || continue
    if kill -0 "${_file##*.}"; then
      echo 1<> "$_file"
      [ ! -f "$_file" ] || rm -f "$_file"
      case $_file in */line.*) return ;; esac
    else
      rm -f "$_file"
    fi
  done
} 2> /dev/null
