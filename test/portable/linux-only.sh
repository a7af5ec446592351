#!/bin/sh
# Stands for what Linux has and macOS lacks: whole programs (setsid, fallocate, flock, timeout), or some options of one. The
# commands of tasks and agents may use them, because tests start odd children with them; the product may not. A command that clears
# its environment sets HOLDFAST_TEST_TREE.
tool=${0##*/}
case $tool in
  grep | sync)
    for word; do
      case $word in
        --) break ;;
        --* | -*[zP]* | -d) refused=$word ;;
        -*) ;;
        *) [ "$tool" = sync ] && refused=$word ;;
      esac
    done
    ;;
  *) refused=$tool ;;
esac
if [ -n "$refused" ] && [ -z "$HOLDFAST_TASK_ID$HOLDFAST_COMMAND_ID$HOLDFAST_TEST_TREE" ]; then
  echo "$tool: macOS has no $refused" >&2
  exit 127
fi
exec "@MACHINE@/real/$tool" "$@"
