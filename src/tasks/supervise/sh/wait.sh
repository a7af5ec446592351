# The wait for what outlives the command.

# Returns when nothing of the task runs any more. Whoever holds the line is waited for without a look at anything. Some programs
# close every descriptor that they did not open (Python, sudo, daemons): they are looked for when nobody holds the line, and
# looked at now and then while they live.
await_survivors() {
  is_alone && return
  create "$_base.exit" "$_code"
  set -- 0.05 0.1 0.1 0.2
  while
    await_end_of 8
    look_together
    [ -n "$_found" ]
  do
    for _pid in $_found; do
      while is_alive "$_pid"; do
        sleep "${1:-0.5}"
        [ $# = 0 ] || shift
      done
    done
  done
}

# Returns when nobody holds the other end of the pipe that is descriptor $1; with a second argument also after so many signals.
# A signal ends a read, too.
await_end_of() {
  _signals=0 _most=${2:-}
  while _signal= && { read -r _x <&"$1" || [ -n "$_signal" ]; }; do
    _signals=$((_signals + 1))
    [ "$_signals" != "$_most" ] || return
  done
}
