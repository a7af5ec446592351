# The resident launcher of a process that starts tasks: POSIX sh (dash, bash) in a session of its own. It waits for a
# request, makes the task's files, says so, and becomes the task's supervisor, which is the next text; before, it starts
# another one that waits in its place. So no launch has to wait for a new process. When who asks has gone, the one that
# waits ends.
#
# Arguments: this text with the supervisor's; the command by which it reads stdin (empty if it does so by itself); pid
# and start time of who asks; the shell; setsid (empty to look for it); bytes to set aside for an ending; how many tasks
# may run at once.
#
# Descriptor 3 leads to who asks, both ways, and is stdin. There this text is asked for first (eval "$1"), then come
# requests, a line each, that set _base, define _set_variables and call _request. A shell reads on beyond the line it
# works at, so the next one must not be sent before this one was answered:
#   recorded    the record is there; who asks has to sync it while the rest is made
#   started     this process will supervise the task, and the next one has to be asked for this text
#   supervised  it does; should it end before this, who asks has to see to it
#   unready     the launch was unchecked, and a folder, its id or the number of tasks is against it: nothing was made
#   failed      who asks has to do it, with what was made
#
# Our variables begin with an underscore, because setting one that the caller exports would change it for the commands.

# What the environment may have switched on.
set +aeu
_text=$1 _begin=$2 _client=$3 _client_start=$4 _sh=$5 _setsid=$6 _ending_bytes=$7 _tasks_max=$8
# Our own tools are found whatever PATH the commands are given.
_has_path=${PATH+1} _command_path=${PATH-}
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
[ -n "$_setsid" ] || _setsid=$(command -v setsid)
# A request is one line: it has this for the ends of lines in its words.
_line_end='
'
cd /
# Every file is made new and private.
umask 077
set -C
# A launch that was begun goes on even if nobody hears of it.
trap : PIPE

# _request UNCHECKED DRAFT STDIN STDOUT STDERR FOLDER RECORD SUPERVISOR_ARGUMENT...
_request() {
  _unchecked=$1 _draft=$2 _stdin=$3 _stdout=$4 _stderr=$5 _folder=$6 _record=$7
  shift 7
  _is_wanted || exit
  if [ -n "$_unchecked" ] && ! _is_ready "${_base%/*}" "${_draft%/*}"; then
    echo unready >&3
  elif _prepare; then
    _become_supervisor "$@"
  else
    echo failed >&3
    cd /
  fi
}

# Whether who asked is still there.
_is_wanted() {
  kill -0 "$_client" || return
  [ -d /proc/self ] || return 0
  read -r _line < "/proc/$_client/stat" || return
  set -- ${_line##*) }
  [ "$1" != Z ] && [ "${20}" = "$_client_start" ]
}

# _is_ready TASKS_FOLDER RUNNING_FOLDER: what nobody has asked before an unchecked start.
_is_ready() {
  [ -x "$_folder/." ] && [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ] &&
    [ -d "$2" ] && [ ! -L "$2" ] && [ -O "$2" ] && [ ! -e "$_base.json" ] || return 1
  set -- "$2"/*
  [ $# -lt "$_tasks_max" ]
}

# The record first: without it nothing else was made. A redirection that fails ends a shell whose command is one of its
# own special ones, so printf makes the empty files, not ":".
_prepare() {
  printf '%s\n' "$_record" > "$_base.json" || return
  echo recorded >&3
  { [ -z "$_stdin" ] || mkfifo -m 600 "$_stdin"; } &&
    printf '' > "$_stdout" &&
    { [ "$_stderr" = "$_stdout" ] || printf '' > "$_stderr"; } &&
    printf "%${_ending_bytes}s" '' > "$_draft" &&
    cd "$_folder"
}

# The task's files become stdin, stdout and stderr; should that fail, this shell ends unanswered, and who asks does it.
# Stdin is opened for both ways, because a pipe that nobody writes to yet must not look as if it had ended.
_become_supervisor() {
  exec <> "${_stdin:-/dev/null}" >> "$_stdout" 2>> "$_stderr" || exit
  trap : TERM INT HUP QUIT
  echo started >&3 2> /dev/null
  take_charge
  _is_in_charge=1
  echo supervised >&3 2> /dev/null
  _wait_in_our_place <&3 > /dev/null 2>&1
  exec 3>&-
  trap - PIPE
  set +C
  if [ -n "$_has_path" ]; then PATH=$_command_path; else unset PATH; fi
  _mask=
  { read -r _line && read -r _line _mask; } < "/proc/$_client/status" 2> /dev/null
  [ "$_line" != Umask: ] || umask "$_mask"
  _set_variables
  _supervise "$@"
  exit
}

# setsid forks, not the shell: what a shell puts into the background ignores interrupts for ever.
_wait_in_our_place() (
  if [ -n "$_has_path" ]; then PATH=$_command_path; else unset PATH; fi
  if [ -n "$_begin" ]; then set -- -c "$_begin" "$_sh"; else set -- -s; fi
  exec "$_setsid" -f "$_sh" "$@" "$_text" "$_begin" "$_client" "$_client_start" "$_sh" "$_setsid" "$_ending_bytes" \
    "$_tasks_max"
)
