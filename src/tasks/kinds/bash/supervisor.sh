# The supervisor of a shell task: POSIX sh (dash, bash) in a session of its own. It runs the command with the task's
# files as descriptors, waits, and writes the ending, whoever else has died by then. Not one byte of output passes
# through it. It is started as text (sh -c), so that an upgrade of the package cannot change it while it runs.
#
# Arguments: id, base path of the task's files, shell, command; then, empty when off: timeout in seconds, output limit
# in bytes, 1 to keep the tail of the output instead of ending the task, grace in tenths of a second, how many of the
# tasks ahead may still run when this one starts, the base paths of those tasks (one a line), niceness.
#
#   $base.run       who supervises: pid, start time, boot id
#   $base.started   of a task that waited for others: its time is when the command started
#   $base.why       why the supervisor itself ends the task: timeout, output-limit
#   $base.exit      the command's exit code, while children of it live on
#   $base.end.json  the ending. Its place on the disk ($base.end.tmp) was made by the launcher, so that a full disk
#                   cannot prevent it; its time is the end time; of several writers the first one counts
#
# Signals are caught, not ignored: an ignored signal would stay ignored in the command. Only the command carries the
# marker variable, so that a search for the marker never finds the supervisor.

id=$1 base=$2 shell=$3 command=$4 timeout=$5 limit=$6 keep_tail=$7 grace=$8 slots=$9
shift 9
ahead=$1 niceness=$2
trap : TERM INT HUP QUIT
# Our own tools are found even if the command is given a PATH of its own.
has_path=${PATH+1} command_path=${PATH-}
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin

start= boot=
if { read -r stat < "/proc/$$/stat"; } 2>/dev/null; then
  set -- ${stat##*) }
  shift 19
  start=$1
  read -r boot < /proc/sys/kernel/random/boot_id
fi
printf '{"pid":%s,"startTime":"%s","bootId":"%s"}\n' "$$" "$start" "$boot" > "$base.run"

# Of the processes in the given folders of /proc: those that carry the marker, and those of our session that are not
# the supervisor or a direct child of it (a watcher, a subshell).
members_among() {
  grep -lszx "HOLDFAST_TASK_ID=$id" "$@" 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  for environ; do
    { read -r line < "${environ%environ}stat"; } 2>/dev/null || continue
    pid=${environ#/proc/} pid=${pid%/environ}
    set -- ${line##*) }
    [ "$4" = "$$" ] && [ "$2" != "$$" ] && [ "$pid" != "$$" ] && [ "$1" != Z ] && echo "$pid"
  done
}
members() { members_among /proc/[0-9]*/environ; }

# Processes of the task that outlived the command. Only what was born since it started can be one, and that is little
# or nothing for most commands; the full search is for long ones.
survivors() {
  last=
  read -r _ _ _ _ last < /proc/loadavg
  if [ -z "$born" ] || [ "$last" -lt "$born" ] || [ $((last - born)) -gt 200 ]; then
    members
    return
  fi
  set --
  pid=$born
  while [ "$pid" -lt "$last" ]; do
    pid=$((pid + 1))
    [ -d "/proc/$pid" ] && set -- "$@" "/proc/$pid/environ"
  done
  [ $# -gt 0 ] && members_among "$@"
}

# Ends the task from inside: TERM, grace, KILL.
finish() {
  trap : TERM
  printf '%s\n' "$1" > "$base.why"
  kill -TERM "-$$" 2>/dev/null
  for pid in $(members); do kill -TERM "$pid" 2>/dev/null; done
  tenths=0
  while [ "$tenths" -lt "$grace" ]; do
    [ -z "$(members)" ] && return
    sleep 0.1
    tenths=$((tenths + 1))
  done
  for pid in $(members); do kill -KILL "$pid" 2>/dev/null; done
}

# A sleep that dies with its watcher.
nap() {
  sleep "$1" &
  wait $!
}

# The size is looked at every second, later every five: a stat each, by a process of its own.
watch_output() {
  checks=0
  while :; do
    if [ "$checks" -lt 60 ]; then checks=$((checks + 1)); nap 1; else nap 5; fi
    for file in "$base.output" "$base.stderr"; do
      [ -f "$file" ] || continue
      size=$(wc -c < "$file")
      cut=0
      [ -e "$file.cut" ] && read -r cut < "$file.cut"
      [ $((size - cut)) -gt "$limit" ] || continue
      if [ "$keep_tail" = 1 ] && fallocate -p -o 0 -l $((size - limit / 2)) "$file" 2>/dev/null; then
        printf '%s\n' $((size - limit / 2)) > "$file.cut"
      else
        finish output-limit
        return
      fi
    done
  done
}

# Told to go by USR1, which the supervisor itself never catches: a signal that comes before the trap is set then ends
# the watcher at once instead of being lost on the way.
watcher() {
  trap 'kill -KILL $! 2>/dev/null; exit 0' TERM USR1
  exec < /dev/null > /dev/null 2>&1
  "$@"
}
watch_timeout() {
  nap "$timeout"
  finish timeout
}

if [ -n "$slots" ]; then
  while [ ! -e "$base.stop" ]; do
    busy=0
    while read -r other; do
      [ -n "$other" ] && [ ! -e "$other.end.json" ] && busy=$((busy + 1))
    done << AHEAD
$ahead
AHEAD
    [ "$busy" -lt "$slots" ] && break
    sleep 0.2
  done
  : > "$base.started"
fi

born=
{ read -r _ _ _ _ born < /proc/loadavg; } 2>/dev/null
watchers=
[ -n "$limit" ] && { watcher watch_output & watchers="$watchers $!"; }
[ -n "$timeout" ] && { watcher watch_timeout & watchers="$watchers $!"; }

# What sh itself says of a killed command ("Killed") is no output of the task.
exec 4>&2 2> /dev/null
if [ -e "$base.stop" ]; then
  code=143
else
  if [ -n "$has_path" ]; then PATH=$command_path; fi
  HOLDFAST_TASK_ID=$id ${niceness:+nice -n "$niceness"} "$shell" -c "$command" 2>&4 4>&-
  code=$?
  PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
fi
exec < /dev/null > /dev/null 4>&-

reason=exit
[ -e "$base.why" ] && read -r reason < "$base.why"
[ "$reason" = exit ] && [ -n "$watchers" ] && kill -USR1 $watchers 2>/dev/null
[ -n "$watchers" ] && wait $watchers

if [ -n "$(survivors)" ]; then
  printf '%s\n' "$code" > "$base.exit"
  while [ -n "$(members)" ]; do sleep 0.5; done
fi
[ -e "$base.stop" ] && reason=stopped
printf '{"schemaVersion":1,"exitCode":%s,"reason":"%s"}' "$code" "$reason" 1<> "$base.end.tmp"
ln "$base.end.tmp" "$base.end.json" 2>/dev/null
rm -f "$base.end.tmp" "$base.exit" "$base.why"
sync -d "$base.end.json" 2>/dev/null
