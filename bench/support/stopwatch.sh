# Runs a command; writes its wall time in microseconds and bash's `times` to descriptor 3.
started=$EPOCHREALTIME
"$@" 3>&-
code=$?
ended=$EPOCHREALTIME
{
  echo $((${ended/./} - ${started/./}))
  times
} >&3
exit $code
