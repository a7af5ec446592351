# The supervisor of a task: POSIX sh in a session of its own. It runs the command with the task's files as descriptors, waits, and
# writes the ending, whoever else has died by then. It is started as text (sh -c), so that an upgrade cannot change it while it
# runs: this file after those that it uses (supervisor-text.ts). docs/format.md says what its files are.
# Signals are ignored, also by our tools, which inherit that; caught ones cost the command's exit code in zsh. Only the command
# carries the marker HOLDFAST_TASK_ID, only the supervisor and its tools carry HOLDFAST_SUPERVISOR.
# What is off is empty. Seconds, bytes, tenths of a second; $_slots, $_turn and the last arguments are those of queue.sh.
_id=$1 _base=$2 _shell=$3 _command=$4 _timeout=$5 _limit=$6 _keep_tail=$7 _grace=$8 _slots=$9
shift 9
_turn=$1 _niceness=$2 _draft=$3 _umask=$4
shift 4
_looking=${_draft%/*/*}/looking _waiting=${_draft%/*/*}/waiting
_ticket=$_looking/${_draft##*/} _why= _is_full= _writers= _told=
umask 077
trap '' TERM INT HUP QUIT ALRM

take_charge
keep_environment
[ -z "$_slots" ] || await_turn "$@"
note_births
_born=$_last
[ "$_keep_tail" != rotate ] || start_writers
start_watchers
open_line
run_command
await_survivors
end_task
