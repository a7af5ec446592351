# The supervisor of a task: POSIX sh in a session of its own. It runs the command with the task's files as descriptors, waits, and
# writes the ending, whoever else has died by then. It is started as text (sh -c), so that an upgrade of the package cannot change
# it while it runs: this file after those that it uses.
#
# Arguments: id, base path of the task's files, shell, command; then, empty when off: timeout in seconds, output limit
# in bytes, 1 to keep the tail of the output instead of ending the task, grace in tenths of a second, how many of the
# tasks ahead may still run when this one starts, its name among those that wait, niceness; then the file that the
# launcher made for the ending, the umask of the command, and the base paths of the tasks ahead.
#
#   $_base.json      the launch record; without it the launch was withdrawn
#   $_base.run       who supervises: pid, start time, boot id. Created once: by the supervisor, or by the first who
#                    finds that it can never start
#   $_base.started   of a task that waited for others: its time is when the command started
#   $_base.line      a pipe that the command and whatever it starts hold open: when nobody does, next to nothing can be left
#   $_base.exit      the command's exit code, while children of it live on
#   $_base.beat      its time is when the task last showed that it lives
#   $_base.end.json  the ending. Its place on the disk ($_draft) was made by the launcher, so that a full disk cannot
#                    prevent it; its time is the end time; of several writers the first one counts. It is decided when
#                    the draft is written: a reader that sees it there first gives it its name. Before, the draft holds
#                    blanks, or why a watcher ends the task: timeout, output-limit or given-up
#   $_base.output.cut, $_base.stderr.cut   bytes taken from the head of an output to keep its tail
#
# Signals are ignored, also by our tools, which inherit that; the command's process undoes it. Caught ones cost the command's
# exit code in zsh. Only the command carries the
# marker HOLDFAST_TASK_ID, only the supervisor and its tools carry HOLDFAST_SUPERVISOR, so that each is told apart. No variable
# of the caller is among ours: they are a text (HOLDFAST_ENVIRONMENT_*, HOLDFAST_CHANGES) for the command's process.

_id=$1 _base=$2 _shell=$3 _command=$4 _timeout=$5 _limit=$6 _keep_tail=$7 _grace=$8 _slots=$9
shift 9
_turn=$1 _niceness=$2 _draft=$3 _umask=$4
shift 4
_looking=${_draft%/*/*}/looking _waiting=${_draft%/*/*}/waiting
_watchers= _why= _is_full= _has_ended= _blanks=' 	
'
umask 077
trap '' TERM INT HUP QUIT ALRM

take_charge
keep_environment
[ -z "$_slots" ] || await_turn "$@"
note_births
_born=$_last _ticket=$_looking/${_draft##*/}.$$.$_last
start_watchers
open_line
run_command
_has_ended=1
await_survivors
end_task
