# The process table where only ps and lsof show it (macOS): the same port as table-proc.sh. Only what POSIX and macOS's own tools
# have is used. Sessions are not shown there, nor the environments of the system's own programs; so a process is one of the task
# also if it is in the supervisor's group, or descends from one that is.

# Sets $_start and $_boot, which with our number name this process among all that ever were, also when the clock is set.
identify() {
  set -- $(LC_ALL=C TZ=UTC0 ps -o lstart= -p $$)
  _start=$1
  shift
  for _x; do _start=$_start-$_x; done
  _boot=$(sysctl -n kern.bootsessionuuid)
}

# Births have no numbers to go by, so nobody is alone before a look.
note_births() { _last=; }
is_alone() { false; }

# Sets $_parent of a process. Fails unless it lives.
look_up() {
  set -- $(ps -o stat= -o ppid= -p "$1")
  _parent=$2
  case $1 in '' | Z*) return 1 ;; esac
}

# Sets $_seen to the processes of tasks (ID:PID, or @SUPERVISOR:PID). Fails to find ourselves only if ps was
# killed by a signal to our whole group: then it looks again. What descends from a supervisor whose command has ended is its
# tool, and what descends from a watcher always; what another supervisor started is of another task.
look() {
  _tries=0 _seen= _has_ended=${_code:+1}
  [ ! -e "$_base.exit" ] || _has_ended=1
  until case $_seen in *" self "*) ;; *) [ "$_tries" = 9 ] ;; esac; do
    _tries=$((_tries + 1))
    _seen=" $(LC_ALL=C ps -axwwE -o pid= -o ppid= -o pgid= -o stat= -o command= |
      LC_ALL=C awk -v self="$$" -v watchers=" $_watchers " -v ended="$_has_ended" '
        $4 ~ /^Z/ { next }
        { parent[$1] = $2; group[$1] = $3 }
        / holdfast-supervisor / && $1 == $3 { supervisor[$1] = 1 }
        match($0, / HOLDFAST_TASK_ID=[A-Za-z0-9_-]+/) { task[$1] = substr($0, RSTART + 18, RLENGTH - 18) }
        function member(pid,   each, hops) {
          for (each = pid; each > 1 && each in parent && hops < 999; each = parent[each]) {
            hops++
            if (each in supervisor) break
            if (index(watchers, " " each " ")) return ""
            if (each in task) return task[each] ":" pid
          }
          if (pid in supervisor || !(group[pid] in supervisor)) return ""
          return ended && each in supervisor && group[each] == group[pid] ? "" : "@" group[pid] ":" pid
        }
        END {
          for (pid in parent) print member(pid)
          if (self in parent) print "self"
        }' | tr -s '\n' ' ')"
  done
}

# Sets $_found to who can write to the line. Who waits for us reads it.
find_holders() {
  _found=$(lsof -wnP -F pa "$_base.line" |
    awk -v self="$$" '/^p/ { pid = substr($0, 2) } /^a[wu]/ && pid != self { print pid }' | tr '\n' ' ')
}

# Sets $_size of an output, by its name: nothing tells the size of what was removed.
measure() { _size=$(wc -c < "$2") && _size=${_size##* }; }

sync_ending() { exec sync; }
