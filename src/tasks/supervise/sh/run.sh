# The command: how it is started, and what it inherits.

# Makes the line: a pipe that the command and whatever it starts hold open (7), so that its end (8) is the end of them all.
# Without room for it nobody seems to hold it, and the look alone decides.
open_line() {
  { mkfifo "$_base.line" && command exec 7<> "$_base.line" 8< "$_base.line"; } 2> /dev/null ||
    exec 7> /dev/null 8< /dev/null
}

# What the process of the command does first: nothing, unless the task has a group (cgroup.sh) or writers (rotate.sh).
prepare_command() { :; }

# Sets $_environment to the text that makes the command's environment, which our tools then do not carry any more.
keep_environment() {
  _environment= _piece=0
  while eval "_text=\${HOLDFAST_ENVIRONMENT_$_piece-}" && [ -n "$_text" ]; do
    _environment=$_environment$_text
    unset "HOLDFAST_ENVIRONMENT_$_piece"
    _piece=$((_piece + 1))
  done
  _environment=$_environment${HOLDFAST_CHANGES-}
  unset HOLDFAST_CHANGES
}

# Runs the command with the task's files as descriptors and sets $_code. Not one byte of output passes through us. What sh
# itself says of a killed command ("Killed") is no output of the task.
run_command() {
  exec 4>&2 2> /dev/null
  (
    prepare_command || exit 126
    [ ! -e "$_base.stop" ] || exit 143
    trap - TERM INT HUP QUIT ALRM
    set -- "$_shell" -c "$_command"
    [ -z "$_niceness" ] || set -- "$(command -v nice)" -n "$_niceness" "$@"
    unset HOLDFAST_SUPERVISOR PATH LANG LC_ALL LC_CTYPE
    eval "$_environment"
    umask "$_umask"
    # Some shells pass on only what is named here (7).
    exec "$@" 2>&4 4>&- 7>&7 8<&-
  )
  _code=$?
  # What died of a signal is 128 and more everywhere but in yash.
  [ "$_code" -lt 384 ] || _code=$((_code - 256))
  exec < /dev/null > /dev/null 4>&- 7>&-
}
