# The wait of a task for others. It blocks on a pipe of its own, so that it costs nothing and its environment is stored nowhere:
#
#   $_waiting/after.TIME.ID.PID    waits for certain tasks: every ending wakes it
#   $_waiting/line.TIME.ID.PID     waits for a place among all tasks: only the first in the line is woken, and wakes the next
#   $_waiting/agents.TIME.ID.PID   the same for a place among the agents
#   $_waiting/taking.TIME.ID.PID   the one in a line that is about to take a place

# Returns when the task may start, or is to stop; ends when it was deleted or given up. $@ are the base paths of the tasks that it
# waits for.
await_turn() {
  _pipe=$_waiting/$_turn.$$ _taking=$_waiting/taking.${_turn#*.}.$$ _running=${_draft%/*} _follower=
  { mkfifo "$_pipe" && command exec 6<> "$_pipe"; } || exec 6< /dev/null
  # The first in the line took us for one that runs until now.
  wake_waiting
  keep_beating &
  while is_wanted && [ ! -e "$_base.stop" ] && ! may_start "$@"; do
    # Without room for a pipe nothing can be read. Where a signal ends a read, it is a reason to look again, too.
    read -r _x <&6 || sleep 1
    [ "$_x" != over ] || _follower=
  done
  # Nobody else is in our group yet.
  trap '' USR1
  kill -USR1 0
  trap - USR1
  rm -f "$_pipe" "$_taking"
  exec 6<&-
  ! is_wanted || create "$_base.started" ""
  wake_waiting
  is_wanted || exit
} 2> /dev/null

# Whether the task is still there, and nobody who cannot see us has given it up.
is_wanted() { [ -e "$_base.json" ] && [ ! -e "$_base.end.json" ]; }

# Shows once a minute that the task lives, as watch_output does, and has it look again: nobody wakes one that is not wanted.
keep_beating() {
  while kill -0 $$; do
    printf '' > "$_base.beat"
    sleep 60
    echo 1>&6
  done
}

# Whether the task may start now.
may_start() {
  _marked=
  case $_turn in
    after.*) are_over "$@" ;;
    *) is_first && take_place ;;
  esac
}

# Whether all of these tasks have ended; else we follow the first that has not.
are_over() {
  for _other; do
    is_busy "$_other" || continue
    [ -n "$_follower" ] || follow "$_other"
    return 1
  done
}

# Whether a task ahead has not ended. One that was removed had; one whose supervisor died without an ending has, when
# nothing of it runs any more.
is_busy() {
  [ -e "$1.json" ] && [ ! -e "$1.end.json" ] || return 1
  { read -r _run < "$1.run"; } 2> /dev/null || return 0
  _run=${_run#*:} _run=${_run%%,*}
  [ "$_run" = 0 ] || ! kill -0 "$_run" 2> /dev/null || return 0
  if [ -z "$_marked" ]; then
    look
    _marked=" $_seen "
  fi
  case $_marked in *" ${1##*/}:"*) ;; *) false ;; esac
}

# Wakes us when nobody holds the line of a task any more: its supervisor may have been killed, and then no ending wakes anyone.
# A task that has no line yet is looked at again soon.
follow() {
  (
    if [ -p "$1.line" ] && command exec 9<> "$1.line" 8< "$1.line"; then
      exec 9>&-
      while read -r _x <&8; do :; done
    fi
    sleep 0.2
    echo over >&6
  ) &
  _follower=$!
}

# Whether nobody who lives is before us in the line. What is no pipe is about to be removed (wake_waiting).
is_first() {
  for _file in "$_waiting/${_turn%%.*}".*; do
    [ "$_file" != "$_pipe" ] || return 0
    [ -p "$_file" ] || continue
    ! kill -0 "${_file##*.}" || return 1
    rm -f "$_file"
  done
}

# Takes a place if one is free. It says so before it counts: of several that do so at once, the last one sees all others. Those
# that make way for each other have the first in the line try again.
take_place() {
  create "$_taking" ""
  if has_place || has_place is_busy; then return; fi
  rm -f "$_taking"
  [ -z "$_rival" ] || wake_waiting
  false
}

# Whether no more hold a place than may, ourselves among them. Whoever is in running/ and in no line holds one; with $1, only
# those that have not ended. Who waits is listed first: one that comes meanwhile is counted rather than left out.
has_place() {
  _queued=' ' _rival= _taken=0 _ids='*'
  for _file in "$_waiting"/line.* "$_waiting"/agents.*; do
    [ -p "$_file" ] || continue
    _words=${_file##*/}
    if [ ! -e "$_waiting/taking.${_words#*.}" ]; then
      _words=${_words%.*}
      _queued="$_queued${_words##*.} "
    elif [ "$_file" != "$_pipe" ]; then
      _rival=1
    fi
  done
  case $_turn in agents.*) _ids='a*' ;; esac
  for _file in "$_running"/*.$_ids; do
    case $_queued in *" ${_file##*.} "*) continue ;; esac
    _words=${_file##*/}
    [ -z "$1" ] || is_busy "${_running%/*}/projects/${_words%.*}/tasks/${_words##*.}" || continue
    _taken=$((_taken + 1))
  done
  [ "$_taken" -le "$_slots" ]
}
