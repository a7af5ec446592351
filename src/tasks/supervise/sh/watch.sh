# What watches time and size from beside the command, and ends the task when one is up.

# Starts the watchers that are asked for; $_watchers are their numbers.
start_watchers() {
  [ -z "$_limit" ] || { watcher watch_output & _watchers="$_watchers $!"; }
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

# Ends the task when its output is too large. Looks every second; every five if the task is an old one, or has more room than
# can be filled meanwhile (10 GiB).
watch_output() {
  _seconds=0 _room=$_limit
  while kill -0 $$; do
    _nap=1
    [ "$_seconds" -lt 60 ] && [ "$_room" -lt 10737418240 ] || _nap=5
    beat
    nap "$_nap"
    tick
    _seconds=$((_seconds + _nap)) _room=$_limit
    look_at 8 "$_base.output"
    is_merged || look_at 9 "$_base.stderr"
  done
}

# Wakes the supervisor if it waits for an answer.
tick() { [ ! -e "$_ticket" ] || tell "${_draft##*/}" tick; }

# For those who cannot see our processes: shows once a minute that the task lives (record/heartbeat.ts), and ends it when one of
# them has given it up.
beat() {
  [ $((_seconds % 60)) -ge "$_nap" ] || printf '' > "$_base.beat"
  [ ! -e "$_base.end.json" ] || finish given-up
}

# Ends the task when the output with the descriptor $1 is too large, or cuts its head.
look_at() {
  _cut=0
  [ -e "$2.cut" ] && read -r _cut < "$2.cut"
  measure "$1" "$2"
  has_room "${_size:-0}" && return
  [ "$_keep_tail" = 1 ] || finish output-limit
  _cut=$((_size - _limit / 2))
  # Said before it is done, so that nobody takes the hole for output.
  printf '%s\n' "$_cut" > "$2.cut.new" && mv -f "$2.cut.new" "$2.cut" && cut_head "$1" "$_cut" && return
  rm -f "$2.cut"
  finish output-limit
}

# Whether so many bytes, less those that were cut, are within the limit; the least room that was found is noted.
has_room() {
  _left=$((_limit - $1 + _cut))
  [ "$_left" -ge "$_room" ] || _room=$_left
  [ "$_left" -ge 0 ]
}

# Ends the task from inside (TERM, grace, KILL), until the supervisor has seen that nothing is left and sends us away. Why is said
# first.
finish() {
  trap '' TERM
  say_why "$1"
  _told=
  look_at_clock
  # By a clock: on a busy machine each look takes its time.
  _patience=$((_now + (_grace + 9) / 10))
  while kill -0 $$; do
    look_alone
    [ -n "$_found" ] || find_holders
    set -- $_found
    for _pid; do
      if [ "$_now" -ge "$_patience" ]; then
        kill -KILL "$_pid"
      elif [ -z "$_told" ] || is_missed "$_pid"; then
        kill -TERM "$_pid"
      fi
    done
    _told="$_told $* "
    sleep 0.1
    tick
    look_at_clock
  done
  exit
} 2> /dev/null

# Whether a process was not told to end, and has no parent that was: what is born meanwhile may be there to clean up.
is_missed() {
  case $_told in *" $1 "*) return 1 ;; esac
  find_parent "$1" || return
  case $_told in *" $_parent "*) return 1 ;; esac
}
