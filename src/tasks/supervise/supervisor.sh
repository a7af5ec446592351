# The supervisor of a shell task: POSIX sh (dash, bash) in a session of its own. It runs the command with the task's
# files as descriptors, waits, and writes the ending, whoever else has died by then. Not one byte of output passes
# through it. It is started as text (sh -c), so that an upgrade of the package cannot change it while it runs.
#
# Arguments: id, base path of the task's files, shell, command; then, empty when off: timeout in seconds, output limit
# in bytes, 1 to keep the tail of the output instead of ending the task, grace in tenths of a second, how many of the
# tasks ahead may still run when this one starts, the base paths of those tasks (one a line), niceness; then the file
# that the launcher made for the ending.
#
#   $_base.json      the launch record; without it the launch was withdrawn
#   $_base.run       who supervises: pid, start time, boot id. Created once: by the supervisor, or by the first who
#                    finds that it can never start
#   $_base.started   of a task that waited for others: its time is when the command started
#   $_base.exit      the command's exit code, while children of it live on
#   $_base.why.*     that a watcher ends the task, and why: timeout or output-limit
#   $_base.end.json  the ending. Its place on the disk ($_draft) was made by the launcher, so that a full disk cannot
#                    prevent it; its time is the end time; of several writers the first one counts. It is decided when
#                    the draft is written: a reader that sees it there first gives it its name
#   $_base.output.cut, $_base.stderr.cut   bytes taken from the head of an output to keep its tail
#
# Signals are caught, not ignored: an ignored signal would stay ignored in the command. Only the command carries the
# marker HOLDFAST_TASK_ID, only the supervisor and its tools carry HOLDFAST_SUPERVISOR, so that each is told apart. Our
# variables begin with an underscore, because setting one that the caller exports would change it for the command.

# What the environment may have switched on.
set +aeu
_id=$1 _base=$2 _shell=$3 _command=$4 _timeout=$5 _limit=$6 _keep_tail=$7 _grace=$8 _slots=$9
shift 9
_ahead=$1 _niceness=$2 _draft=$3
trap : TERM INT HUP QUIT
# Our own tools are found even if the command is given a PATH of its own.
_has_path=${PATH+1} _command_path=${PATH-}
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin

[ -n "$_is_in_charge" ] || take_charge

# Of the processes in the given folders of /proc: those that carry the marker of a task.
carriers() {
  _marker=HOLDFAST_TASK_ID=$1
  shift
  _files=$(grep -lszx "$_marker" "$@")
  was_not_killed $?
  for _file in $_files; do
    _file=${_file#/proc/}
    echo "${_file%/environ}"
  done
}
# A signal to our whole group ends a tool, which has then found nothing: the search, in a subshell, has failed.
was_not_killed() { [ "$1" -lt 128 ] || exit 1; }

# Of the processes in the given folders of /proc: those of this task. They carry the marker, or they are in our session
# (also after they cleared their environment) and are no helper of ours: a watcher, a subshell, a tool. Once the command
# has ended every direct child of ours is a helper. Runs in a subshell.
members_among() {
  _strangers=
  members_in_session "$@"
  marked_strangers
}
# The first half takes no tool, hence next to no time. Those of other sessions are set aside for the second, each with the
# place of its stack, which is another one in every program; but only if the session is younger than the command: nobody can
# have gone over to another one.
members_in_session() {
  read -r _self _x < /proc/self/stat
  _helpers=" $_watchers $_self "
  for _environ; do
    { read -r _line < "${_environ%environ}stat"; } 2> /dev/null || continue
    _pid=${_environ#/proc/} _pid=${_pid%/environ}
    set -- ${_line##*) }
    case " $$$_helpers" in *" $_pid "*) continue ;; esac
    case "$_helpers" in *" $2 "*) continue ;; esac
    if [ "$4" != "$$" ]; then
      is_young "$4" && [ "${21}" != 0 ] && [ -r "$_environ" ] && _strangers="$_strangers $_pid:${26}"
    elif [ "$1" = Z ] || { [ "$2" = "$$" ] && { [ -n "$_has_ended" ] || [ -e "$_base.exit" ]; }; }; then
      continue
    else
      echo "$_pid"
    fi
  done
}
# Whether it can have been born since the command started. Numbers begin anew, so after a long time everybody can.
is_young() { is_long_ago "$_born" || [ "$1" -gt "$_born" ]; }

# Of the strangers: those that carry the marker. Who has gone was not asked ($_has_gone), nor was who became another program
# meanwhile, or is about to and shows no environment until it has, on a busy machine for many milliseconds: those stay.
marked_strangers() {
  _has_gone=
  [ -n "$_strangers" ] || return 0
  set --
  for _stranger in $_strangers; do set -- "$@" "/proc/${_stranger%:*}/environ"; done
  carriers "$_id" "$@"
  _unasked= _waits=0
  for _stranger in $_strangers; do
    _pid=${_stranger%:*}
    look_at_program "$_pid"
    while [ "$_environ_end" = 0 ] && [ "$_waits" -lt 500 ]; do
      _waits=$((_waits + 1))
      sleep 0.01
      look_at_program "$_pid"
      _stranger=
    done
    if [ -z "$_stack" ]; then
      _has_gone=1
    elif [ "$_stranger" != "$_pid:$_stack" ]; then
      _unasked="$_unasked $_pid:$_stack"
    fi
  done
  _strangers=$_unasked
}
# Where its stack begins and its environment ends; empty when it has gone, or is a zombie or a thread of the kernel's.
look_at_program() {
  _stack= _environ_end=
  { read -r _line < "/proc/$1/stat"; } 2> /dev/null || return 0
  set -- ${_line##*) }
  [ "${21}" = 0 ] || { _stack=${26} _environ_end=${49}; }
}

# Of all processes: those of this task. Two searches by a tool instead of a look at each; a name may hold anything, also a
# line end (-z), so what they find in our session is looked at again.
members_of_all() {
  _in_session=$(grep -lszE "^[0-9]+ \\(.*\\) [A-Za-z] -?[0-9]+ -?[0-9]+ $$ " /proc/[0-9]*/stat)
  was_not_killed $?
  set --
  for _stat in $_in_session; do set -- "$@" "${_stat%stat}environ"; done
  members_among "$@"
  _marked=$(carriers "$_id" /proc/[0-9]*/environ) || exit 1
  for _pid in $_marked; do
    case $_in_session in *"/proc/$_pid/stat"*) ;; *) echo "$_pid" ;; esac
  done
  set_silent_aside
}
# What is about to become another program, and has no arguments yet, is found by neither search.
set_silent_aside() {
  _silent=$(grep -Lsz . /proc/[0-9]*/cmdline)
  was_not_killed $?
  for _file in $_silent; do
    _pid=${_file#/proc/} _pid=${_pid%/cmdline}
    is_young "$_pid" && [ -r "/proc/$_pid/environ" ] && _strangers="$_strangers $_pid:"
  done
}

# Of what was born after the given process and up to the last one: those in our session.
members_since() {
  _next=$1
  set --
  while [ "$_next" -lt "$_last" ]; do
    _next=$((_next + 1))
    [ -d "/proc/$_next" ] && set -- "$@" "/proc/$_next/environ"
  done
  members_in_session "$@"
}
look_at_births() {
  _last=
  { read -r _x _x _x _x _last < /proc/loadavg; } 2> /dev/null
}
# Whether so many were born since (or the numbers began anew) that all might as well be looked at.
is_long_ago() { [ -z "$1" ] || [ -z "$_last" ] || [ "$_last" -lt "$1" ] || [ $((_last - $1)) -gt 1000 ]; }

# Of the strangers and of what was born since we looked: those of this task. One that forks and ends while we look leaves
# a child that was not there when we began. Looks until nothing was born meanwhile; then the strangers are asked, and if one
# could not be, all is looked at again. On a busy machine something always is, so not for ever, and hardly again at all
# there is.
slipped_away() {
  _looks=0 _asked=0
  while [ "$_looks" -lt 20 ] && [ "$_asked" -lt 2 ]; do
    _looks=$((_looks + 1)) _seen=$_last
    look_at_births
    if [ "$_last" = "$_seen" ]; then
      _asked=$((_asked + 1))
      marked_strangers
      [ -n "$_has_gone$_strangers" ] || return 0
    elif is_long_ago "$_seen"; then
      _looks=$((_looks + 9))
      members_of_all
    else
      members_since "$_seen"
    fi
  done
  marked_strangers
}

# Processes of this task.
members() {
  look_at_births
  members_of_all
  slipped_away
}

# Of those that were found before: those that live.
known() {
  set --
  for _pid in $_known; do set -- "$@" "/proc/$_pid/environ"; done
  members_among "$@"
}

# Whether nothing was born since the command started but our own helpers: then nothing can have outlived it, and no
# process has to be looked at. Asked again until nothing was born meanwhile.
is_alone() {
  _helpers=" $_watchers " _seen=$_born
  for _watcher in $_watchers; do
    _children=
    { read -r _children < "/proc/$_watcher/task/$_watcher/children"; } 2> /dev/null
    _helpers="$_helpers$_children "
  done
  while :; do
    look_at_births
    ! is_long_ago "$_born" && [ "$_last" -ge "$_seen" ] || return 1
    [ "$_last" -gt "$_seen" ] || return 0
    while [ "$_seen" -lt "$_last" ]; do
      _seen=$((_seen + 1))
      [ ! -d "/proc/$_seen" ] || case $_helpers in *" $_seen "*) ;; *) return 1 ;; esac
    done
  done
}

# Processes of the task that outlived the command. Only what was born since it started can be one, and that is little
# or nothing for most commands; the full search is for long ones.
survivors() {
  look_at_births
  _strangers=
  if is_long_ago "$_born"; then members_of_all; else members_since "$_born"; fi
  slipped_away
}

# Whether a search finds nothing. One that was killed has found nothing either, but proves nothing.
none() {
  _found=$("$1") && [ -z "$_found" ]
}

# Ends the task from inside (TERM, grace, KILL). Why is said first, by a second name for the record: that takes no room
# on a full disk, and neither a signal nor a watcher that is killed can lose it. What is born while it ends is either there
# to clean up, for a parent that lives, or was just missed; hence also the second look. The grace is measured by a clock,
# because on a busy machine each search takes its time.
finish() {
  trap : TERM USR1
  read -r _self _x < /proc/self/stat
  _watchers="$_watchers $_self"
  ln "$_base.json" "$_base.why.$1"
  _told= _tenths=0
  look_at_clock
  _patience=$((_now + (_grace + 9) / 10))
  until { none members && none members; } || [ "$_now" -gt $((_patience + 10)) ]; do
    set -- $_found
    for _pid; do
      if [ "$_now" -ge "$_patience" ]; then
        kill -KILL "$_pid"
      elif [ -z "$_told" ] || is_missed "$_pid" " $* "; then
        kill -TERM "$_pid"
      fi
    done
    _told=" $_told $* "
    sleep 0.1
    _tenths=$((_tenths + 1))
    look_at_clock
  done
  exit
} 2> /dev/null

# Whether a process was not told to end, and has no parent (of those given) that was.
is_missed() {
  case $_told in *" $1 "*) return 1 ;; esac
  read -r _line < "/proc/$1/stat" || return 1
  _others=$2
  set -- ${_line##*) }
  case $_others in *" $2 "*) return 1 ;; esac
}

# Seconds since whenever; where the system does not tell, by our own count.
look_at_clock() {
  _now=
  { read -r _now _x < /proc/uptime; } 2> /dev/null
  _now=${_now%%.*}
  _now=${_now:-$((_tenths / 10))}
}

# A sleep that neither a signal to the group shortens nor outlives its watcher.
nap() {
  (
    trap '' TERM INT HUP QUIT
    exec sleep "$1"
  ) &
  while kill -0 $! 2> /dev/null; do wait $!; done
}

# Watchers run beside the command and what it leaves. Told to go by USR1, which the supervisor itself never catches: one
# that comes before the trap is set then ends the watcher at once instead of being lost on the way. What a command
# sends to its whole group does not end them while the supervisor lives.
watcher() {
  trap 'leave' USR1
  trap 'kill -0 $$ 2> /dev/null || leave' TERM
  trap '' INT HUP QUIT
  exec 8>&1 9>&2 < /dev/null > /dev/null 2>&1
  "$@"
}
leave() {
  kill -KILL $! 2> /dev/null
  exit 0
}
watch_timeout() {
  nap "$_timeout"
  finish timeout
}

# The output is looked at every second; every five if it is an old one, or has more room than can be filled meanwhile
# (10 GiB).
watch_output() {
  _seconds=0 _room=$_limit
  while kill -0 $$; do
    _nap=1
    [ "$_seconds" -lt 60 ] && [ "$_room" -lt 10737418240 ] || _nap=5
    # For those who cannot see us: that we live (record/heartbeat.ts), and whether one of them has given the task up.
    [ $((_seconds % 60)) -ge "$_nap" ] || printf '' > "$_base.beat"
    [ ! -e "$_base.end.json" ] || finish given-up
    nap "$_nap"
    _seconds=$((_seconds + _nap)) _room=$_limit
    look_at 8 "$_base.output"
    [ /proc/self/fd/8 -ef /proc/self/fd/9 ] || look_at 9 "$_base.stderr"
  done
}

# By its descriptor: an output that was removed or moved away still fills the disk. How far the command has written is a
# line to read; the size takes a process. It is asked for when it matters, and every five seconds, for the sake of those
# who opened the file anew.
look_at() {
  _cut=0 _written=
  [ -e "$2.cut" ] && read -r _cut < "$2.cut"
  { read -r _x _written < "/proc/self/fdinfo/$1"; } 2> /dev/null
  [ "$_nap" = 1 ] && [ $((_seconds % 5)) != 0 ] && [ -n "$_written" ] && has_room "$_written" && return
  _size=$(wc -c < "/proc/self/fd/$1")
  has_room "$_size" && return
  [ "$_keep_tail" = 1 ] || finish output-limit
  _cut=$((_size - _limit / 2))
  # Said before it is done, so that nobody takes the hole for output.
  printf '%s\n' "$_cut" > "$2.cut.new" && mv -f "$2.cut.new" "$2.cut" &&
    fallocate -p -o 0 -l "$_cut" "/proc/self/fd/$1" && return
  rm -f "$2.cut"
  finish output-limit
}

# Whether so many bytes, less those that were cut, are within the limit; the least room that was found is noted.
has_room() {
  _left=$((_limit - $1 + _cut))
  [ "$_left" -ge "$_room" ] || _room=$_left
  [ "$_left" -ge 0 ]
}

# Whether a task ahead has not ended. One that was removed had; one whose supervisor died without an ending has, when
# nothing of it runs any more.
is_busy() {
  [ -e "$1.json" ] && [ ! -e "$1.end.json" ] || return 1
  { read -r _run < "$1.run"; } 2> /dev/null || return 0
  _run=${_run#*:}
  kill -0 "${_run%%,*}" 2> /dev/null || [ -n "$(carriers "${1##*/}" /proc/[0-9]*/environ)" ]
}

_watchers= _has_ended=
if [ -n "$_slots" ]; then
  while [ ! -e "$_base.stop" ]; do
    _busy=0
    while read -r _other; do
      is_busy "$_other" && _busy=$((_busy + 1))
    done << AHEAD
$_ahead
AHEAD
    [ "$_busy" -lt "$_slots" ] && break
    sleep 0.2
  done
  create "$_base.started" ""
fi

look_at_births
_born=$_last
[ -n "$_limit" ] && { watcher watch_output & _watchers="$_watchers $!"; }
[ -n "$_timeout" ] && { watcher watch_timeout & _watchers="$_watchers $!"; }

# What sh itself says of a killed command ("Killed") is no output of the task.
exec 4>&2 2> /dev/null
if [ -e "$_base.stop" ]; then
  _code=143
else
  _nice=
  [ -n "$_niceness" ] && _nice=$(command -v nice)
  (
    export HOLDFAST_TASK_ID="$_id"
    unset HOLDFAST_SUPERVISOR
    if [ -n "$_has_path" ]; then PATH=$_command_path; else unset PATH; fi
    exec ${_nice:+"$_nice" -n "$_niceness"} "$_shell" -c "$_command" 2>&4 4>&-
  )
  _code=$?
fi
exec < /dev/null > /dev/null 4>&-

_has_ended=1
if ! is_alone && ! none survivors; then
  create "$_base.exit" "$_code"
  # Most are gone in a moment; a server that was put into the background stays for days.
  set -- 0.05 0.1 0.1 0.2
  # Twice: a process that forks and ends, again and again, may be missed once. While one that was found lives, nobody has
  # to look for others.
  while
    _known=$_found
    until none known; do
      sleep "${1:-0.5}"
      [ $# = 0 ] || shift
    done
    ! { none members && none members; }
  do :; done
fi
_reason=exit
for _why in timeout output-limit; do [ -e "$_base.why.$_why" ] && _reason=$_why; done
[ -e "$_base.stop" ] && _reason=stopped
end "\"exitCode\":$_code,\"reason\":\"$_reason\""
for _watcher in $_watchers; do kill -USR1 "$_watcher"; done
wait
sync -d "$_base.end.json"
