# The look for processes of a task that do not hold its line. A look is good for all tasks that had a question before it began:
# of those that end at the same moment, one looks for all.
#
#   $_looking/lock   there while somebody looks: its number
#   $_looking/pipe   whoever looks has it open; the others read it, until it is closed
#   $_looking/seen   the number of the last look, and what it saw
#   $_looking/P.ID   ($_ticket) the task ID of the project P has waited for a look

# Sets $_found to the processes of this task, $_unclear to those of which nobody can tell yet whose they are.
look_alone() {
  look
  find_members
}
find_members() {
  _found= _unclear=
  for _word in $_seen; do
    case $_word in
      "$_id:"* | "@$$:"*) _found="$_found ${_word#*:}" ;;
      "?:"*) _unclear="$_unclear ${_word#*:}" ;;
    esac
  done
}

# Sets $_found to what the task may have left. Looks, or waits for somebody else's look: for the second one from now, because the
# next may have begun already. Two that look at once do no harm.
look_together() {
  [ -p "$_looking/pipe" ] || mkfifo "$_looking/pipe"
  read_last_look
  _wanted=$((_number + 2)) _ticks=0
  while [ "$_number" -lt "$_wanted" ]; do
    if command exec 7<> "$_looking/pipe" && ! create "$_looking/lock" "$$" && [ -e "$_looking/lock" ]; then
      await_look
      read_last_look
    else
      look_for_all
      break
    fi
  done
  exec 7>&- 9<&-
  find_members
  _found=$_found$_unclear
} 2> /dev/null
read_last_look() {
  read -r _number _seen < "$_looking/seen"
  case $_number in '' | *[!0-9]*) _number=0 ;; esac
}
# Who was passed over keeps what it saw to itself.
look_for_all() {
  read_last_look
  look
  read -r _holder < "$_looking/lock"
  [ "$_holder" != "$$" ] || {
    echo "$((_number + 1)) $_seen" > "$_looking/seen.$$"
    mv -f "$_looking/seen.$$" "$_looking/seen"
    rm -f "$_looking/lock"
  }
}

# Waits until a look has ended. If its lock is still there then, it has died. At the second tick of our watcher it is passed over: it
# may be stopped.
await_look() {
  read -r _holder < "$_looking/lock"
  create "$_ticket" ""
  command exec 9< "$_looking/pipe" 7>&-
  if read -r _x <&9; then
    _ticks=$((_ticks + 1))
    [ "$_ticks" -ge 2 ] || return
  else
    read -r _x < "$_looking/lock"
    [ "$_x" = "$_holder" ] || return
  fi
  rm -f "$_looking/lock"
}
# Wakes one of those who wait, if our supervisor may be one.
tick() { [ ! -e "$_ticket" ] || echo 1<> "$_looking/pipe"; }
