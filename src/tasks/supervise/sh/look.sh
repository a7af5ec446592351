# The look for processes of a task that do not hold its line. Of the tasks that end at the same moment, one looks for all.
#
#   $_looking/lock            there while somebody looks
#   $_looking/P.ID.PID.BORN   a ticket ($_ticket): the supervisor PID of the task ID of the project P asks, and reads the answer
#                             from its own line: a dot and the numbers that were found

# Sets $_found to the processes of this task.
look_alone() {
  look_since "$_born" "$$"
  find_members "$_id" "$$"
}

# Sets $_found: of all that was seen, the processes of the task $1 with the supervisor $2.
find_members() {
  _found=
  case $_seen in *" $1:"* | *" @$2:"*) ;; *) return ;; esac
  for _word in $_seen; do
    case $_word in
      "$1:"* | "@$2:"*) case "$_found " in *" ${_word##*:} "*) ;; *) _found="$_found ${_word##*:}" ;; esac ;;
    esac
  done
}

# Sets $_found like look_alone. Who creates the lock looks for all who have asked; the others wait for its answer. At the second
# tick of our watcher we pass it over: it was killed, or stopped. Two that look at once do no harm. An answer may be an old one:
# what has left nothing never has anything again. Where there is no room to ask, or nobody to wake us, each looks alone.
look_together() {
  if [ -z "$_watchers" ] || ! { [ -p "$_base.line" ] && command exec 7<> "$_base.line" && create "$_ticket" ""; } 2> /dev/null; then
    exec 7>&-
    look_alone
    return
  fi
  _answer= _ticks=0
  until case $_answer in .*) ;; *) false ;; esac; do
    if [ "$_ticks" -ge 2 ] || create "$_looking/lock" ""; then
      look_for_all
      break
    fi
    read -r _answer <&8
    [ "$_answer" != tick ] || _ticks=$((_ticks + 1))
    _found=${_answer#.}
  done
  exec 7>&-
}

# Looks for every task that has a ticket, and answers. Who asked too late finds the lock gone, or is told here that it is.
look_for_all() {
  list_tickets
  _sessions=$$ _from=$_born
  for _words in $_tickets; do
    _pid=${_words%.*}
    _sessions="$_sessions|${_pid##*.}"
    [ -z "$_from" ] || earlier "${_words##*.}" "$_from"
  done
  look_since "$_from" "$_sessions"
  for _words in $_tickets; do
    _pid=${_words%.*} _task=${_words%.*.*}
    find_members "${_task##*.}" "${_pid##*.}"
    tell "$_task" ".$_found"
  done
  (cd "$_looking" && exec rm -f -- lock $_tickets)
  find_members "$_id" "$$"
  list_tickets
  for _words in $_tickets; do
    tell "${_words%.*.*}" next
    break
  done
}
list_tickets() {
  _tickets=
  for _file in "$_looking"/*.*.*.*; do
    [ ! -e "$_file" ] || _tickets="$_tickets ${_file##*/}"
  done
}
# Writes a line for the supervisor of the task $1 (P.ID), if it has a line of its own.
tell() {
  _line=${_looking%/*}/projects/${1%.*}/tasks/${1##*.}.line
  [ ! -p "$_line" ] || echo "$2" 1<> "$_line"
} 2> /dev/null
