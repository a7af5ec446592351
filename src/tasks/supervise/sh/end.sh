# How a task's ending gets on the disk.

# Writes the ending (the members of a JSON object) into the room that the launcher made for it, and gives it its name. Half of it is
# no JSON, so nobody takes it for the whole. The draft then leaves running/ for ended/. Without a name it stays, and is the ending.
# If it is gone, somebody else has ended the task, or deleted the home: then nothing is made.
write_ending() {
  [ ! -e "$_draft" ] || printf '{"schemaVersion":1,%s}' "$1" 1<> "$_draft"
  ln "$_draft" "$_base.end.json"
  rm -f "$_ticket" "$_base.line" "$_base.exit" "$_base.beat"
  [ ! -e "$_base.end.json" ] || mv -f "$_draft" "${_draft%/*/*}/ended/${_draft##*/}"
} 2> /dev/null

# Sends the watchers away: nobody else is left in our group. Writes how the command ended ($_code) and why, and leaves the ending on
# the disk for good.
end_task() {
  trap '' USR1
  kill -USR1 0
  { read -r _why _x < "$_draft"; } 2> /dev/null
  case $_why in timeout | output-limit | stopped) ;; *) _why=exit ;; esac
  [ ! -e "$_base.stop" ] || _why=stopped
  write_ending "\"exitCode\":$_code,\"reason\":\"$_why\""
  wake_waiting
  wait
  sync_ending
}
