# The wait for what outlives the command.

# Returns when nothing of the task runs any more. Whoever holds the line is waited for without a look at anything. Some programs
# close every descriptor that they did not open (Python, sudo, daemons): they are looked for when nobody holds the line, and
# looked at now and then while they live.
await_survivors() {
  is_alone || create "$_base.exit" "$_code"
  set -- 0.05 0.1 0.1 0.2
  while
    await_line
    ! is_alone && look_together && [ -n "$_found" ]
  do
    while
      sleep "${1:-0.5}"
      [ $# = 0 ] || shift
      is_any_alive
    do :; done
  done
}

# Returns when nobody holds the other end of the line.
await_line() {
  while read -r _x <&8; do :; done
}
is_any_alive() {
  for _pid in $_found; do look_up "$_pid" && return; done
  false
}
