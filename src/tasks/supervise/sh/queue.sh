# The wait of a task for others. It blocks on a pipe of its own, so that it costs nothing and its environment is stored nowhere:
#
#   $_waiting/after.TIME.ID.PID   waits for certain tasks: every ending wakes it
#   $_waiting/line.TIME.ID.PID    waits for a place: an ending wakes only the first in the line, which wakes the next as it starts
#
# A wake is only a reason to look again, so one too many does no harm. One that got lost is made up for by the next ending, or
# by whoever reads the state of a task that should have started.

# Returns when fewer of the tasks with these base paths run than may, or the task is to stop.
await_turn() {
  _pipe=$_waiting/$_turn.$$ _follower=
  { mkfifo "$_pipe" && command exec 6<> "$_pipe"; } || exec 6< /dev/null
  while [ ! -e "$_base.stop" ] && is_early "$@"; do
    [ "$_slots" != 1 ] || [ -n "$_follower" ] || follow "$_first"
    # Without room for a pipe nothing can be read. Where a signal ends a read, it is a reason to look again, too.
    read -r _x <&6 || sleep 1
    [ "$_x" != over ] || _follower=
  done
  [ -z "$_follower" ] || kill -KILL "$_follower"
  rm -f "$_pipe"
  exec 6<&-
  create "$_base.started" ""
  wake_waiting
} 2> /dev/null

# Whether too many of these tasks have not ended; $_first is the first of them.
is_early() {
  _busy=0
  for _other; do
    is_busy "$_other" || continue
    [ "$_busy" != 0 ] || _first=$_other
    _busy=$((_busy + 1))
  done
  [ "$_busy" -ge "$_slots" ]
}

# Whether a task ahead has not ended. One that was removed had; one whose supervisor died without an ending has, when
# nothing of it runs any more.
is_busy() {
  [ -e "$1.json" ] && [ ! -e "$1.end.json" ] || return 1
  { read -r _run < "$1.run"; } 2> /dev/null || return 0
  _run=${_run#*:}
  kill -0 "${_run%%,*}" 2> /dev/null || grep -qszx "HOLDFAST_TASK_ID=${1##*/}" /proc/[0-9]*/environ
}

# Wakes us when nobody holds the line of a task any more: its supervisor may have been killed, and then no ending wakes anyone.
# A task that has no line yet is looked at again soon.
follow() {
  (
    if [ -p "$1.line" ] && command exec 9<> "$1.line" 8< "$1.line"; then
      exec 9>&-
      while read -r _x <&8; do :; done
    fi
    sleep 0.2
    echo over >&6
  ) &
  _follower=$!
}
