# The wait for what outlives the command: returns when nothing of the task runs any more. Whoever holds the line is waited for
# without a look at anything. Some programs close every descriptor that they did not open (Python, sudo, daemons): they are
# looked for when nobody holds the line, and looked at now and then while they live.
await_survivors() {
  is_alone && await_line && return
  create "$_base.exit" "$_code"
  _nap=0.05
  while
    await_line
    ! is_alone && look_together && [ -n "$_found" ]
  do
    sleep "$_nap"
    _nap=0.5
    for _pid in $_found; do
      while look_up "$_pid"; do sleep "$_nap"; done
    done
  done
}

# Returns when nobody holds the other end of the line.
await_line() { until ! read -r _x <&8; do :; done; }
