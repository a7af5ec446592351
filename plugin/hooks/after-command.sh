# PostToolUse of a shell command: starts the program that answers hooks ("$@") unless the command has only run. What was
# launched says so in the answer, by a key of the client's. docs/adr/0016.

case ${ZSH_VERSION-}${KSH_VERSION-}${YASH_VERSION-} in
?*)
  # These read, or print, long texts and bytes in ways of their own.
  "$@"
  exit 0
  ;;
esac

# Not an exported one: the program could not be started with a variable of that size.
unset input
input=$(cat) || [ -n "$input" ] || {
  "$@"
  exit 0
}
case $input in
*backgroundTaskId*) printf '%s' "$input" | "$@" ;;
'{'*'"hook_event_name":"PostToolUse"'*'}') ;;
*) printf '%s' "$input" | "$@" ;;
esac
