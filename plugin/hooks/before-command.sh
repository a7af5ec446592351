# PreToolUse of a shell command: starts the program that answers hooks ("$@") unless it would have nothing to say, because
# nothing of the project runs or waits. It asks only names and times, and leaves its input unread. docs/adr/0016.

# Not what the caller exported under these names: the program would inherit it changed.
unset project home key rest part running
project=${CLAUDE_PROJECT_DIR-}
home=${HOLDFAST_HOME:-${XDG_STATE_HOME:-${HOME:+$HOME/.local/state}}/holdfast}
case $home in
/?*/?*) ;;
*) project= ;;
esac

# The project's key: every character that is no letter or digit becomes a hyphen. What is rare in a path is left to the
# program: in it a character may be several bytes.
key=
rest=$project
while [ -n "$rest" ]; do
  part=${rest%%[!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789]*}
  key=$key$part
  rest=${rest#"$part"}
  case $rest in
  [-/._+@~=,:\ ]*)
    key=$key-
    rest=${rest#?}
    ;;
  ?*) project= rest= ;;
  esac
done
case $project in
/*) [ ${#key} -le 200 ] || project= ;;
*) project= ;;
esac

is_quiet() {
  [ -n "$project" ] || return 1
  # The program was never started here, or only where nothing was launched.
  [ -d "$home/projects/$key" ] || return 0
  for running in "$home/running/$key".*; do
    [ -e "$running" ] && return 1
  done
  # Dated by who looked: whatever is written into the manifest afterwards is newer.
  [ -e "$home/projects/$key/background.jsonl" ] || return 1
  [ "$home/projects/$key/background.quiet" -nt "$home/projects/$key/background.jsonl" ]
}

is_quiet || "$@"
