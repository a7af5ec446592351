# The wait of a task for others.
await_turn() {
  while [ ! -e "$_base.stop" ]; do
    _busy=0
    while read -r _other; do
      is_busy "$_other" && _busy=$((_busy + 1))
    done << AHEAD
$_ahead
AHEAD
    [ "$_busy" -lt "$_slots" ] && break
    sleep 0.2
  done
  create "$_base.started" ""
}
# Whether a task ahead has not ended. One that was removed had; one whose supervisor died without an ending has, when
# nothing of it runs any more.
is_busy() {
  [ -e "$1.json" ] && [ ! -e "$1.end.json" ] || return 1
  { read -r _run < "$1.run"; } 2> /dev/null || return 0
  _run=${_run#*:}
  kill -0 "${_run%%,*}" 2> /dev/null || grep -qszx "HOLDFAST_TASK_ID=${1##*/}" /proc/[0-9]*/environ
}
