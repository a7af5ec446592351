# The look for processes of a task that do not hold its line. A look is good for all tasks that had a question before it began:
# of those that end at the same moment, one looks for all.
#
#   $_looking/lock   there while somebody looks
#   $_looking/pipe   whoever looks has it open; the others read it, until it is closed
#   $_looking/seen   the number of the last look, and what it saw
#   $_looking/P.ID   ($_ticket) the task ID of the project P has waited for a look

# Sets $_found to the processes of this task among what was seen; with ? also those of which nobody can tell yet whose they are.
find_members() {
  _found=
  for _word in $_seen; do
    case $_word in "$_id:"* | "@$$:"* | "$1:"*) _found="$_found ${_word#*:}" ;; esac
  done
}

# Sets $_found to what the task may have left. Looks, or waits for somebody else's look: for the second one from now, because the
# next may have begun already. Two that look at once do no harm.
look_together() {
  [ -p "$_looking/pipe" ] || mkfifo "$_looking/pipe"
  read_last_look
  _wanted=$((_number + 2)) _wakes=0
  while [ "$_number" -lt "$_wanted" ]; do
    if command exec 7<> "$_looking/pipe" && ! create "$_looking/lock" "" && [ -e "$_looking/lock" ]; then
      await_look
      read_last_look
    else
      look_for_all
      break
    fi
  done
  exec 7>&- 9<&-
  find_members '?'
} 2> /dev/null
# Sets $_number and $_seen to those of the last look.
read_last_look() { read -r _number _seen < "$_looking/seen" || _number=0; }

# Who was passed over meanwhile keeps what it saw to itself.
look_for_all() {
  read_last_look
  _begun=$_number
  look
  read -r _number _x < "$_looking/seen" || _number=0
  [ "$_number" = "$_begun" ] && echo "$((_number + 1)) $_seen" > "$_looking/seen.$$" &&
    mv -f "$_looking/seen.$$" "$_looking/seen"
  rm -f "$_looking/lock" "$_looking/seen.$$"
}

# Waits until a look has ended, or our watcher ticks. At the third time the lock is removed: who looks has died, or is stopped.
await_look() {
  create "$_ticket" ""
  command exec 9< "$_looking/pipe" 7>&-
  read -r _x <&9
  _wakes=$((_wakes + 1))
  [ "$_wakes" -lt 3 ] || rm -f "$_looking/lock"
}
# Wakes one of those who wait, if our supervisor may be one.
tick() { [ ! -e "$_ticket" ] || echo 1<> "$_looking/pipe"; }
