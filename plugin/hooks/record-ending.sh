# Sourced by bash when a command of the client's ends (src/recovery/plugin/env-line.ts): writes down holdfast_code in the folder
# holdfast_endings, if the client is gone, so that nobody else will. docs/format.md has the file, docs/adr/0016 the rules.

set +eu
# The parent as it is now; the name before it may hold anything.
IFS= read -r holdfast_stat <"/proc/$$/stat"
holdfast_stat=${holdfast_stat##*') '}
holdfast_stat=${holdfast_stat#* }
case ${holdfast_stat%% *} in
'' | "$PPID") return 0 ;;
esac

# A shell that is killed by a signal comes here, too, with the code of an earlier command. Then it is still in the client's
# `eval '…' < /dev/null`, so its input is not the socket that the client gave it, or a job in the foreground runs. In doubt, and
# where the client wraps its command in another way, nothing is written.
case ${BASH_EXECUTION_STRING-} in
*"' < /dev/null && pwd -P >| "*) ;;
*) return 0 ;;
esac
[ -S "/proc/$$/fd/0" ] || return 0
IFS=$'\n'
set -f
for holdfast_job in $(jobs -r); do
  [ "${holdfast_job%&}" != "$holdfast_job" ] || return 0
done

(
  set -C
  umask 077
  holdfast_output=$(command -p readlink "/proc/$$/fd/1") || exit
  holdfast_output=${holdfast_output%' (deleted)'}
  [[ $holdfast_output =~ /tasks/(b[0-9a-z]+)\.output$ ]] || exit
  printf '%s %s\n' "$holdfast_code" "$holdfast_output" >"$holdfast_endings/${BASH_REMATCH[1]}"
)
return 0
