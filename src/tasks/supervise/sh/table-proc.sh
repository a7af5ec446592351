# The process table where the system shows it in /proc. The port that the other files use: identify, note_births, is_alone,
# is_alive, look_since, earlier, find_holders, find_parent, look_at_clock, measure, is_merged, cut_head, sync_ending.

# Sets $_start and $_boot, which with our number name this process among all that ever were.
identify() {
  { read -r _line < "/proc/$$/stat"; } 2> /dev/null
  set -- ${_line##*) }
  shift 19
  _start=$1
  read -r _boot < /proc/sys/kernel/random/boot_id
}

# Sets $_last, the number of the last process that was born.
note_births() { read -r _x _x _x _x _last < /proc/loadavg; }

# Whether a process lives; one that nobody has waited for yet does not.
is_alive() {
  { read -r _line < "/proc/$1/stat"; } 2> /dev/null || return
  case ${_line##*) } in Z*) return 1 ;; esac
}

# Sets $_now to the seconds of a clock that nobody sets.
look_at_clock() {
  read -r _now _x < /proc/uptime
  _now=${_now%%.*}
}

# Sets $_parent of a process.
find_parent() {
  { read -r _line < "/proc/$1/stat"; } 2> /dev/null || return
  set -- ${_line##*) }
  _parent=$2
}

# Sets $_from to the earlier of two births; to none when their numbers may have begun anew.
earlier() {
  note_births
  if [ "$1" -gt "$_last" ] || [ "$2" -gt "$_last" ]; then
    _from=
  else
    _from=$(($1 < $2 ? $1 : $2))
  fi
}

# Whether the command has left nothing: nothing that was born since it started can be a process of the task. In the order of
# birth, so that who replaces itself by a child meanwhile is met as that child.
is_alone() {
  _next=$_born
  while note_births && [ "$_next" != "$_last" ]; do
    [ "$_next" -lt "$_last" ] && [ $((_last - _next)) -le 300 ] || return
    while [ "$_next" -lt "$_last" ]; do
      _next=$((_next + 1))
      [ ! -d "/proc/$_next" ] || ! is_suspect "$_next" || return
    done
  done
}
# Whether a process can be one of the task: it is in our session and no tool of ours, or in one that is younger than the command.
is_suspect() {
  { read -r _line < "/proc/$1/stat"; } 2> /dev/null || return
  set -- ${_line##*) }
  [ "$1" != Z ] || return
  if [ "$4" != "$$" ]; then
    [ "$4" -gt "$_born" ]
  else
    case " $_watchers $$ " in *" $2 "*) false ;; esac
  fi
}

# Sets $_seen to what was born since $1 (everything, if that is empty) and carries a task's marker (ID:PID), or is in one of the
# sessions $2 (@SESSION:PID; it may have cleared its environment) and no tool of a supervisor.
#
# One scan proves it, because it goes in the order of birth beyond the last one that was born: who is gone when its turn comes
# either left nothing or a child, whose turn is later. Only if more was born during the scan than it went beyond, that is looked
# at as well; and again who cannot be told, with what was born since. Who cannot be told for ten seconds is stuck.
look_since() {
  _sessions=$2 _met= _tools= _unclear= _looks=0
  list_births "$1"
  while
    scan
    note_births
    [ "$_last" -gt "$_beyond" ] || [ "$_last" -lt "$_until" ] || [ -n "$_unclear" ]
  do
    if [ -n "$_unclear" ]; then
      _looks=$((_looks + 1))
      [ "$_looks" -lt 500 ] || break
      sleep 0.02
    fi
    list_births "$_until"
  done
  _seen=
  for _word in $_met; do
    case $_word in @*) case "$_tools " in *" ${_word#*:} "*) continue ;; esac ;; esac
    _seen="$_seen $_word"
  done
}

# Sets $_stats and $_environs to the files of who cannot be told yet and who was born since $1, in the order of birth, with a
# hundred numbers beyond the last one; of everybody after so many births that one might as well look at all.
list_births() {
  note_births
  _until=$_last _beyond=$((_last + 100)) _stats= _environs=
  if [ -z "$1" ] || [ "$_last" -lt "$1" ] || [ $((_last - $1)) -gt 300 ]; then
    _stats='/proc/[0-9]*/stat' _environs='/proc/[0-9]*/environ' _beyond=$_last
    return
  fi
  for _pid in $_unclear; do list "$_pid"; done
  _next=$1
  while [ "$_next" -lt "$_beyond" ]; do
    _next=$((_next + 1))
    [ "$_next" -le "$_until" ] && [ ! -d "/proc/$_next" ] || list "$_next"
  done
}
list() { _stats="$_stats /proc/$1/stat" _environs="$_environs /proc/$1/environ"; }

# Looks at $_stats and $_environs: adds to $_met and $_tools, and sets $_unclear to those that cannot be told yet.
scan() {
  # A name may hold anything, so what counts stands behind the last parenthesis. The second form has no environment.
  _stat='^[0-9]+ \(.*\) [^ZX] [0-9]+ -?[0-9]+'
  _stat="$_stat ($_sessions) |$_stat [1-9][0-9]* .* 0 0 [0-9]+[^0-9]?\$"
  _tries=0
  until scan_at_once || scan_in_turn || [ "$_tries" = 9 ]; do _tries=$((_tries + 1)); done
  sort_lines
}
# Sets $_lines to what the search printed. Fails unless it has found ourselves: it may have been killed, know no -z, or have got
# more arguments than a program can be given.
scan_at_once() {
  _lines=$(LC_ALL=C grep -aszoE "^HOLDFAST_(TASK_ID|SUPERVISOR)=[A-Za-z0-9_-]*|$_stat" "/proc/$$/environ" $_environs $_stats $_environs | tr '\0' '\n')
  case $_lines in *"/proc/$$/environ:"*) ;; *) false ;; esac
}
# The same for tools that are made for lines.
scan_in_turn() {
  _lines=$(
    print_markers
    echo $_stats | LC_ALL=C xargs grep -sE "$_stat" /dev/null
    print_markers
  )
  case $_lines in *"/proc/$$/environ:"*) ;; *) false ;; esac
}
# Of the environments each variable becomes a line, which has another sign for the ends of lines inside; so none looks like the
# name of a file, which head prints in front.
print_markers() {
  echo "/proc/$$/environ" $_environs | xargs head -n 99999 /dev/null 2> /dev/null | LC_ALL=C tr '\n\0' '\1\n' | LC_ALL=C awk '
    { while (match($0, /^\001*==> [^ ]* <==\001/)) { file = substr($0, 1, RLENGTH); $0 = substr($0, RLENGTH + 1) } }
    /^HOLDFAST_(TASK_ID|SUPERVISOR)=[A-Za-z0-9_-]*$/ { gsub(/[^a-z0-9\/]/, "", file); print file ":" $0 }'
}

# What is about to become another program shows no environment until it has, so environments are read before and after the
# rest, and one that shows none in between is looked at again. It matters if its session can be one that a task
# made: it leads it, or what led it is gone or in the same state. What is not ours to read looks the same, and is left out.
sort_lines() {
  _silent= _unclear=
  set -f
  IFS='
'
  set -- $_lines
  IFS=$_blanks
  set +f
  for _line; do
    _pid=${_line#/proc/} _pid=${_pid%%/*}
    case $_line in
      /proc/*/environ:HOLDFAST_T*) _met="$_met ${_line##*=}:$_pid" ;;
      /proc/*/environ:*) _tools="$_tools $_pid" ;;
      *)
        _line=${_line##*) } _line=${_line#* }
        _parent=${_line%% *} _line=${_line#* * }
        _met="$_met @${_line%% *}:$_pid"
        case $_line in *' '*' '*) _silent="$_silent $_pid:$_parent:${_line%% *}" ;; esac
        ;;
    esac
  done
  for _word in $_silent; do
    _pid=${_word%%:*} _leader=${_word##*:} _parent=${_word#*:} _parent=${_parent%:*}
    case "$_tools " in *" $_parent "*) _tools="$_tools $_pid" && continue ;; esac
    [ -r "/proc/$_pid/environ" ] || continue
    case "$_silent " in *" $_leader:"*) ;; *) [ ! -d "/proc/$_leader" ] || continue ;; esac
    _unclear="$_unclear $_pid"
  done
}

# Sets $_found to who has the line open and is no supervisor, of this task or another: also what has cleared its environment and left the session.
find_holders() {
  _found=
  for _file in /proc/[0-9]*/fd/*; do
    [ "$_file" -ef "$_base.line" ] || continue
    _pid=${_file#/proc/} _pid=${_pid%%/*}
    grep -aqs HOLDFAST_SUPERVISOR= "/proc/$_pid/environ" || _found="$_found $_pid"
  done
}

# Sets $_size of an output, by its descriptor: what was removed or moved away still fills the disk. How far the command has
# written is a line to read; the size takes a process. It is asked for when that matters, and every five seconds, for the sake of
# those who opened the file anew.
measure() {
  _size=
  { read -r _x _size < "/proc/self/fdinfo/$1"; } 2> /dev/null
  [ "$_nap" = 1 ] && [ $((_seconds % 5)) != 0 ] && [ -n "$_size" ] && has_room "$_size" ||
    _size=$(wc -c < "/proc/self/fd/$1")
}
is_merged() { [ /proc/self/fd/8 -ef /proc/self/fd/9 ]; }
cut_head() { fallocate -p -o 0 -l "$2" "/proc/self/fd/$1"; }

# Puts the ending on the disk for good, and is the last thing that a supervisor does.
sync_ending() {
  [ -e "$_base.end.json" ] || exec sync -d "$_draft"
  exec sync -d "$_base.end.json"
}
