# How a watcher ends the task from inside.

# Says why, then ends everything (TERM, grace, KILL), until the supervisor has seen that nothing is left and sends us away.
finish() {
  trap '' TERM
  say_why "$1"
  _told=
  while kill -0 $$; do
    look_alone
    [ -n "$_found" ] || find_holders
    for _pid in $_found; do
      if [ "$_grace" -le 0 ]; then
        kill -KILL "$_pid"
      elif [ -z "$_told" ] || is_missed "$_pid"; then
        kill -TERM "$_pid"
      fi
    done
    _told="$_told$_found "
    sleep 0.1
    _grace=$((_grace - 1))
    tick
  done
  exit
} 2> /dev/null

# Whether a process was not told to end, and has no parent that was: what is born meanwhile may be there to clean up.
is_missed() {
  case $_told in *" $1 "*) return 1 ;; esac
  look_up "$1" || return
  case $_told in *" $_parent "*) return 1 ;; esac
}
