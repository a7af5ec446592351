# The process table where the system shows it in /proc. The port that the other files use: identify, note_births, look_up,
# is_alone, look, find_holders, measure, is_merged, sync_ending.

# Sets $_start and $_boot, which with our number name this process among all that ever were.
identify() {
  look_up $$
  read -r _boot < /proc/sys/kernel/random/boot_id
}

# Sets $_last, the number of the last process that was born.
note_births() { read -r _x _x _x _x _last < /proc/loadavg; }

# Sets $_parent, $_session and $_start of a process. Fails unless it lives; one that nobody has waited for yet does not.
look_up() {
  { read -r _line < "/proc/$1/stat"; } 2> /dev/null || return
  set -- ${_line##*) }
  _parent=$2 _session=$4 _start=${20}
  [ "$1" != Z ]
}

# Whether the command has left nothing, told without a tool: nothing that was born since it started ($_born) can be a process of
# the task. In the order of birth, so that who replaces itself by a child meanwhile is met as that child. After many births, or
# when their numbers have begun anew, it takes a look to know.
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
  look_up "$1" || return
  [ "$_session" = "$$" ] || { [ "$_session" -gt "$_born" ]; return; }
  case " $_watchers $$ " in *" $_parent "*) false ;; esac
}

# Sets $_seen, of all tasks, to what carries a marker (ID:PID), what is in the session of a supervisor and no tool of it (@SUPERVISOR:PID;
# it may have cleared its environment), and what cannot be told yet (?:PID).
#
# One scan proves it: it meets who is there, then, in the order of birth, who is born meanwhile. Who is gone when its turn comes
# either left nothing or a child, whose turn is later. If more was born than it went beyond, or the numbers began anew, it was
# none. A scan that does not know ourselves has failed.
look() {
  _beyond=100
  until
    note_births
    _until=$_last
    _seen=" $(list_processes | LC_ALL=C xargs head -n 99999 /dev/null 2> /dev/null | LC_ALL=C tr '\n\0' '\1\n' | tell_processes)"
    note_births
    [ "$_last" -ge "$_until" ] && [ "$_last" -le $((_until + _beyond)) ]
  do _beyond=$((_beyond * 4)); done
  case $_seen in *" @$$ "*) ;; *) _seen=" ?:0" ;; esac
}

list_processes() {
  for _file in /proc/[0-9]*; do echo "$_file/environ" "$_file/stat"; done
  while [ "$_beyond" -gt 0 ]; do
    _until=$((_until + 1)) _beyond=$((_beyond - 1))
    echo "/proc/$_until/environ" "/proc/$_until/stat"
  done
}

# Prints, in words, what head printed of environments and stats, with the ends of lines and of variables exchanged: so nothing in a
# variable looks like the name of a file, or like a variable. Of what is about to become another program, and of what was born
# a moment ago, no environment was seen: it cannot be told, unless it has none, or is the tool of a tool.
tell_processes() {
  LC_ALL=C awk -v ORS=' ' -v self="$$" '
    {
      while (match($0, /==> \/proc\/[0-9]+\/[a-z]+ <==\001/)) {
        rest = substr($0, RSTART + RLENGTH)
        split(substr($0, RSTART, RLENGTH), words, /[\/ ]/)
        pid = words[4]
        isStat = words[5] == "stat"
        if (isStat) read_stat(rest)
        else readable[pid] = 1
        $0 = rest
      }
      if (!isStat) seen[pid] = 1
    }
    /^HOLDFAST_TASK_ID=[A-Za-z0-9_-]+$/ { task[pid] = substr($0, 18) }
    /^HOLDFAST_SUPERVISOR=/ { tool[pid] = 1 }
    # A name may hold anything, so what counts stands behind its last parenthesis.
    function read_stat(text,   stat) {
      match(substr(text, 1, 100), /.*\) /)
      split(substr(text, RLENGTH + 1), stat, /[ \001]/)
      if (stat[1] ~ /[ZX]/) return
      parent[pid] = stat[2]
      session[pid] = stat[4]
      if (stat[48] == stat[49] && stat[48] > 0) seen[pid] = 1
    }
    END {
      for (pid in session)
        if (pid in task) print task[pid] ":" pid
        else if (pid in tool || !(pid in seen) && parent[pid] in tool) continue
        else if (session[pid] in tool) print "@" session[pid] ":" pid
        else if (pid in readable && !(pid in seen) && session[pid] > 0) print "?:" pid
      if (self in session) print "@" self
    }'
}

# Sets $_found to who has the line open and is no supervisor, of this task or another: also what has cleared its environment and
# left the session.
find_holders() {
  _found=
  for _file in /proc/[0-9]*/fd/*; do
    [ "$_file" -ef "$_base.line" ] || continue
    _pid=${_file#/proc/} _pid=${_pid%%/*}
    tr '\0' '\n' < "/proc/$_pid/environ" | grep -q '^HOLDFAST_SUPERVISOR=' || _found="$_found $_pid"
  done
}

# Sets $_size of an output, by its descriptor: what was removed or moved away still fills the disk.
measure() { _size=$(wc -c < "/proc/self/fd/$1"); }
is_merged() { [ /proc/self/fd/8 -ef /proc/self/fd/9 ]; }

# Puts the ending on the disk for good, and is the last thing that a supervisor does.
sync_ending() {
  [ -e "$_base.end.json" ] || exec sync -d "$_draft"
  exec sync -d "$_base.end.json"
}
