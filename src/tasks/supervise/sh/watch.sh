# What watches time and size from beside the command.

# Starts the watchers; $_watchers are their numbers.
start_watchers() {
  watcher watch_output &
  _watchers=$!
  [ -z "$_timeout" ] || { watcher watch_timeout & _watchers="$_watchers $!"; }
}
# A watcher goes when it is told to by USR1, which the supervisor itself never catches: one that comes before the trap is set
# ends the watcher at once instead of being lost. What a command sends to its whole group does not end it.
watcher() {
  trap 'leave' USR1
  trap 'kill -0 $$ 2> /dev/null || leave' TERM
  exec 8>&1 9>&2 < /dev/null > /dev/null 2>&1
  "$@"
}
leave() {
  kill -KILL $! 2> /dev/null
  exit 0
}
# Sleeps: neither a signal to the group shortens it, nor does it outlive its watcher.
nap() {
  (
    trap '' TERM
    exec sleep "$1"
  ) &
  while kill -0 $! 2> /dev/null; do wait $!; done
}

watch_timeout() {
  nap "$_timeout"
  finish timeout
}

# Ends the task when an output is too large. Looks every second; every five while there is more room than can be filled meanwhile
# (10 GiB). Shows once a minute that the task lives, to those who cannot see our processes (record/heartbeat.ts), and ends it when
# one of them has given it up.
watch_output() {
  _seconds=0 _room=$_limit
  while kill -0 $$; do
    _nap=1
    [ "$_room" -lt 10737418240 ] || _nap=5
    [ $((_seconds % 60)) -ge "$_nap" ] || printf '' > "$_base.beat"
    [ ! -e "$_base.end.json" ] || finish given-up
    nap "$_nap"
    tick
    _seconds=$((_seconds + _nap)) _room=$_limit
    look_at 8 "$_base.output"
    is_merged || look_at 9 "$_base.stderr"
  done
}

# Ends the task when the output with the descriptor $1 is too large, and notes in $_room the least that is left of any.
look_at() {
  measure "$1" "$2"
  _left=$((_limit - ${_size:-0}))
  [ -z "$_keep_tail" ] || keep_tail "$1" "$2"
  [ "$_left" -ge 0 ] || finish output-limit
  [ "$_left" -ge "$_room" ] || _room=$_left
}
