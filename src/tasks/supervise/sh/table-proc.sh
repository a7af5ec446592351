# The process table where the system shows it in /proc. The port that the other files use: identify, note_births, look_up,
# is_alone, look, find_holders, measure, sync_ending.

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

# Whether the command has left nothing, told without a tool: what was born since it started ($_born) is a tool of ours, or in an
# older session that is not ours. In the order of birth, so that who replaces itself by a child meanwhile is met as that child. After
# many births, or when their numbers have begun anew, only a look can tell.
is_alone() {
  _next=$_born
  while note_births && [ "$_next" != "$_last" ]; do
    [ "$_next" -lt "$_last" ] && [ $((_last - _next)) -le 300 ] || return
    while [ "$_next" -lt "$_last" ]; do
      _next=$((_next + 1))
      [ -d "/proc/$_next" ] && look_up "$_next" || continue
      case " $_watchers $$ " in *" $_parent "*) continue ;; esac
      [ "$_session" != "$$" ] && [ "$_session" -le "$_born" ] || return
    done
  done
}

# Sets $_seen, of all tasks, to what carries a marker (ID:PID), what is in the session of a supervisor and no tool of it
# (@SUPERVISOR:PID), what descends from these, and what cannot be told yet (?:PID, also if the look has failed).
#
# One scan proves it: it meets who is there, then who is born meanwhile, in the order of birth. Who is gone when its turn comes has
# left nothing, or a child whose turn is later. It scans again if more was born than it reached, or if the numbers began anew.
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

# Prints what a look reads of each process, and of those that may be born meanwhile.
list_processes() {
  for _file in /proc/[0-9]*; do echo "$_file/stat" "$_file/environ" /proc/self/environ; done
  while [ "$_beyond" -gt 0 ]; do
    _until=$((_until + 1)) _beyond=$((_beyond - 1))
    echo "/proc/$_until/stat" "/proc/$_until/environ" /proc/self/environ
  done
}

# Reads what head printed of stats and environments, with the ends of lines and of variables exchanged. A variable may look like the
# name of a file; but a process is only begun behind an environment of our own, whose marker no other user knows. One that shows no
# environment is about to become another program: it cannot be told yet, unless it has none (its two ends are the same), or is the
# tool of a tool.
tell_processes() {
  LC_ALL=C awk -v ORS=' ' -v self="$$" '
    BEGIN { is_our_own = 1 }
    {
      while (match($0, /==> \/proc\/[0-9self]+\/[a-z]+ <==\001/)) {
        split(substr($0, RSTART, RLENGTH), words, /[\/ ]/)
        $0 = substr($0, RSTART + RLENGTH)
        if (words[4] == "self") {
          # The second one for a process: the first stood in its environment.
          if (pid == "") delete silent[last]
          pid = ""
        } else if (words[4] == pid) silent[pid] = 1
        else if (is_our_own) {
          is_our_own = 0
          pid = last = words[4]
          read_stat($0)
        }
      }
      delete silent[pid]
    }
    $0 == "HOLDFAST_SUPERVISOR=" ENVIRON["HOLDFAST_SUPERVISOR"] { is_our_own = 1 }
    pid == "" { next }
    /^HOLDFAST_TASK_ID=[A-Za-z0-9_-]+$/ { task[pid] = substr($0, 18) }
    /^HOLDFAST_SUPERVISOR=/ { tool[pid] = 1 }
    # A name may hold anything, so what counts stands behind its last parenthesis.
    function read_stat(text,   stat) {
      match(substr(text, 1, 100), /.*\) /)
      split(substr(text, RLENGTH + 1), stat, /[ \001]/)
      if (stat[1] ~ /[ZX]/) return
      parent[pid] = stat[2]
      session[pid] = stat[4]
      if (stat[48] == stat[49] && stat[48] > 0) empty[pid] = 1
    }
    function is_open(leader) { return leader > 0 && (!(leader in session) || leader in silent) }
    # What a task starts is its own, up to the supervisor of another one.
    function owner(pid, steps) {
      if (pid in task) return task[pid]
      if (!(pid in session) || pid in tool || pid in silent && parent[pid] in tool || steps > 99) return ""
      return session[pid] in tool ? "@" session[pid] : owner(parent[pid], steps + 1)
    }
    END {
      for (pid in session)
        if (whose = owner(pid, 0)) print whose ":" pid
        else if (pid in silent && !(pid in empty) && is_open(session[pid])) print "?:0"
      if (self in tool) print "@" self
    }'
}

# Sets $_found to who can write to the line: also what has cleared its environment and left the session. Who waits for us reads it.
find_holders() {
  _found=
  for _file in /proc/[0-9]*/fd/*; do
    [ "$_file" -ef "$_base.line" ] && { read -r _x && read -r _x _flags; } < "${_file%/fd/*}/fdinfo/${_file##*/}" || continue
    _pid=${_file#/proc/} _pid=${_pid%%/*}
    case $_flags in *[12]) [ "$_pid" = "$$" ] || _found="$_found $_pid" ;; esac
  done
} 2> /dev/null

# Sets $_size of an output, by its descriptor: what was removed or moved away still fills the disk.
measure() { _size=$(wc -c < "/proc/self/fd/$1"); }

# Puts the ending on the disk for good, under whichever name it has. The last thing that a supervisor does.
sync_ending() { exec sync -d "$_base.end.json" "$_draft"; }
