# A control group of the task's own, where cgroup v2 is delegated to the user: nothing leaves it by fork, setsid or a cleared
# environment, whatever it closes. Read only where the launcher may make groups, in the place of what the process table tells. It is
# used if we could enter and leave it; else the table decides, as elsewhere.
#
# It is called holdfast-ID (task-processes.ts), and lies in our own group, or beside it if that is a task's: a task that another
# one starts is no part of it.

while read -r _line; do
  case $_line in 0::/?*) _path=${_line#0::} ;; esac
done < "/proc/$$/cgroup"
_parent=/sys/fs/cgroup$_path
[ -d "$_parent" ] || _parent=/sys/fs/cgroup/unified$_path
case $_path in */holdfast-*) _parent=${_parent%/*} ;; esac
_group=$_parent/holdfast-$1

if [ -n "$_path" ] && mkdir "$_group" && echo 0 > "$_group/cgroup.procs" && echo 0 > "$_parent/cgroup.procs"; then
  # The command's process goes into the group before it becomes the command.
  prepare_command() { echo 0 > "$_group/cgroup.procs"; }

  # Whether nobody is in the group, or in one that the command made below it.
  is_alone() {
    while read -r _x _populated && [ "$_x" != populated ]; do :; done < "$_group/cgroup.events"
    [ "$_populated" = 0 ]
  }
  # Sets $_seen to all who are. When a watcher's grace is over, they are killed as one: nobody outruns that.
  look() {
    [ "$_grace" -gt 0 ] || echo 1 > "$_group/cgroup.kill"
    _seen=" $(find "$_group" -name cgroup.procs -exec sed "s/^/@$$:/" {} + | tr '\n' ' ')"
  }
  look_together() {
    look
    find_members none
  }
  sync_ending() {
    rmdir "$_group"
    exec sync -d "$_base.end.json" "$_draft"
  }
fi 2> /dev/null
