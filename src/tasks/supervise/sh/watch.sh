# What watches time and size from beside the command, and ends the task when one is up.

# Starts the watchers; $_watchers are their numbers. They ignore what we ignore, so what a command sends to its whole group does not
# end them. They go with whatever they started when USR1 comes, which nobody catches (end.sh).
start_watchers() {
  watch_output &
  _watchers="$_writers $!"
  [ -n "$_timeout" ] || return 0
  { sleep "$_timeout"; finish timeout; } &
  _watchers="$_watchers $!"
} 8>&1 9>&2 < /dev/null > /dev/null 2>&1

# Ends the task when an output is too large: looks every second, every five if nothing can fill the room meanwhile (10 GiB). Shows
# once a minute that the task lives, to those who cannot see our processes (record/heartbeat.ts). Ends it if one has given it up.
watch_output() {
  # Some shells count to two billion: large limits are compared without their last three digits ($_unit).
  _seconds=0 _unit= _is_merged=
  [ -e "$_base.stderr" ] || _is_merged=1
  [ -n "$_keep_tail" ] || [ "${#_limit}" -lt 10 ] || _unit='???'
  _room=${_limit%$_unit}
  while kill -0 $$; do
    _nap=1
    [ -z "$_unit" ] || [ "$_room" -lt 10737418 ] || _nap=5
    [ $((_seconds % 60)) -ge "$_nap" ] || printf '' > "$_base.beat"
    [ ! -e "$_base.end.json" ] || finish given-up
    sleep "$_nap"
    tick
    _seconds=$((_seconds + _nap)) _room=${_limit%$_unit}
    look_at 8 "$_base.output"
    [ -n "$_is_merged" ] || look_at 9 "$_base.stderr"
  done
}

# Ends the task when the output with the descriptor $1 is too large, and notes in $_room the least that is left of any.
look_at() {
  measure "$1" "$2"
  _size=${_size:-0} _left=$((${_limit%$_unit} - ${_size%$_unit}))
  [ -z "$_keep_tail" ] || keep_tail "$1" "$2"
  [ "$_left" -ge 0 ] || finish output-limit
  [ "$_left" -ge "$_room" ] || _room=$_left
}

# Says why, unless somebody has: where the ending will be, because that takes no room, and no signal can lose it. A word is no JSON, so
# nobody takes it for the ending. Then ends everything (TERM, grace, KILL), until the supervisor has seen that nothing is left and
# sends us away.
finish() {
  read -r _why _x < "$_draft"
  [ -n "$_why" ] || [ ! -e "$_draft" ] || printf '%s' "$1" 1<> "$_draft"
  while kill -0 $$; do
    look
    find_members none
    [ -n "$_found" ] || find_holders
    for _pid in $_found; do
      if [ "$_grace" -le 0 ]; then
        kill -KILL "$_pid"
      elif [ -z "$_told" ] || { ! is_told "$_pid" && look_up "$_pid" && ! is_told "$_parent"; }; then
        # What a process that was told has started meanwhile may be there to clean up.
        kill -TERM "$_pid"
      fi
    done
    _told="$_told$_found "
    sleep 0.1
    _grace=$((_grace - 1))
    tick
  done
  exit
}
# Whether a process was sent TERM.
is_told() { case $_told in *" $1 "*) ;; *) false ;; esac }
