# The look for processes of a task that do not hold its line. Of the tasks that end at the same moment, one looks for all.
#
#   $_looking/lock        names the line of who looks, which is open until it is done, or dead
#   $_looking/ID.PID.BORN.N   a ticket: the supervisor PID of the task ID asks for the Nth time; then holds the answer

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

# Sets $_found like look_alone. Who holds the lock answers all tickets that were there before it looked; the others wait for its
# line. A holder that was killed closes it; one that was stopped is passed over at the second of the signals that our watcher
# sends. Two that look at once do no harm, because each answer is true. Without room for lock or answer, each looks alone.
look_together() {
  _tries=0
  leave_ticket || _tries=9
  while [ "$_tries" -lt 9 ]; do
    _tries=$((_tries + 1))
    if create "$_looking/lock" "$_base.line"; then
      look_for_all
      return
    fi
    _holder=
    { read -r _holder < "$_looking/lock"; } 2> /dev/null
    await_holder
    read_answer && return
    _now=
    { read -r _now < "$_looking/lock"; } 2> /dev/null
    [ "$_now" != "$_holder" ] || rm -f "$_looking/lock"
  done
  look_alone
}

# Makes a new ticket, in the place of an earlier one. Fails where there is nowhere to leave it, or nobody to wake us.
leave_ticket() {
  [ -z "$_ticket" ] || rm -f "$_ticket"
  _asked=$((_asked + 1))
  _ticket=$_looking/$_id.$$.$_born.$_asked
  [ -n "$_watchers" ] && [ -p "$_base.line" ] && create "$_ticket" ""
}
read_answer() {
  _answer=
  { read -r _answer < "$_ticket"; } 2> /dev/null
  _found=${_answer#.}
  [ -n "$_answer" ]
}

# Waits for the line of the holder. It is opened for both ways first, because to open it for reading would wait for a writer.
await_holder() {
  if [ -p "$_holder" ] && { command exec 9<> "$_holder" 6< "$_holder"; } 2> /dev/null; then
    exec 9>&-
    await_end_of 6 2
    exec 6<&-
  elif [ -e "$_looking/lock" ]; then
    # It is about to say who it is, or had no room to.
    sleep 0.02
    { read -r _holder < "$_looking/lock"; } 2> /dev/null
  fi
}

# Looks for every task that has a ticket without an answer, and takes away the tickets of those that were killed.
look_for_all() {
  command exec 7<> "$_base.line"
  _tickets= _gone= _sessions=$$ _from=$_born
  for _file in "$_looking"/*.*.*.*; do
    _words=${_file##*/}
    _pid=${_words#*.} _pid=${_pid%%.*} _since=${_words%.*} _since=${_since##*.}
    kill -0 "$_pid" || { _gone="$_gone $_words" && continue; }
    [ ! -s "$_file" ] || continue
    _tickets="$_tickets $_words" _sessions="$_sessions|$_pid"
    [ -z "$_from" ] || earlier "$_since" "$_from"
  done
  look_since "$_from" "$_sessions"
  for _words in $_tickets; do
    _pid=${_words#*.}
    find_members "${_words%%.*}" "${_pid%%.*}"
    # Never for one that was taken back.
    [ ! -e "$_looking/$_words" ] || echo ".$_found" > "$_looking/$_words"
  done
  find_members "$_id" "$$"
  set -- "$_looking/lock"
  for _words in $_gone; do set -- "$@" "$_looking/$_words"; done
  rm -f "$@" 7>&-
  exec 7>&-
} 2> /dev/null
