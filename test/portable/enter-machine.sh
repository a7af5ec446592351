# Runs a command on a machine of another make: private mount and pid namespaces, which end with the command and take along
# whatever it left. Needs root.
#
#   unshare -m -p -f --kill-child setsid sh enter-machine.sh FOLDER MAKE SHELL COMMAND...
#
#   FOLDER  an empty folder for what the machine is made of
#   MAKE    bsd: without /proc, and with tools that speak BSD's dialect (bsd-tools.pl). bsd-hiding: the same, and `ps -E` shows no
#           environment of the system's own programs, as on macOS. busybox: with busybox's tools in /bin and /usr/bin, as
#           on Alpine. plain: as it is
#   SHELL   what /bin/sh is
#
# HOLDFAST_TEST_PROC is where tests, not the product, find the real /proc.
set -e
here=$(cd "$(dirname "$0")" && pwd)
machine=$1 make=$2 shell=$(readlink -f "$3")
shift 3
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs -o mode=755 tmpfs "$machine"
mkdir "$machine/proc" "$machine/tools" "$machine/dev" "$machine/real"
mount --bind /proc "$machine/proc"
export HOLDFAST_TEST_PROC="$machine/proc" HOLDFAST_TEST_MACHINE="$machine" HOLDFAST_TEST_MAKE="$make"

# replace PROGRAM SUBSTITUTE: for everybody who asks for the program by any of the system's paths.
replace() {
  for dir in /usr/bin /bin /usr/sbin /sbin; do
    if [ -x "$dir/$1" ] && ! cmp -s "$2" "$dir/$1"; then
      [ -e "$machine/real/$1" ] || cp "$(readlink -f "$dir/$1")" "$machine/real/$1"
      mount --bind "$2" "$(readlink -f "$dir/$1")"
    fi
  done
}

if [ "$make" != "${make#bsd}" ]; then
  [ "$make" != bsd-hiding ] || : > "$machine/hides-environments"
  # What a BSD has in /dev without /proc: descriptors by their number.
  mount -t tmpfs -o mode=755 tmpfs "$machine/dev"
  for each in null zero full random urandom tty shm; do
    if [ -d "/dev/$each" ]; then mkdir "$machine/dev/$each"; elif [ -e "/dev/$each" ]; then : > "$machine/dev/$each"; else continue; fi
    mount --bind "/dev/$each" "$machine/dev/$each"
  done
  # The kernel looks for terminals beside ptmx, where the file itself is.
  mkdir "$machine/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$machine/dev/pts"
  ln -s pts/ptmx "$machine/dev/ptmx"
  ln -s "$machine/proc/self/fd" "$machine/dev/fd"
  for each in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${each%:*}" "$machine/dev/${each#*:}"; done
  mount --rbind "$machine/dev" /dev
  # When a process started is known once for all, as on a BSD: setting the clock does not change it.
  read -r uptime idle < /proc/uptime
  perl -MTime::HiRes=time -e "printf '%.3f', time - $uptime" > "$machine/born"
  cat /proc/sys/kernel/random/boot_id > "$machine/boot"
  echo 0 > "$machine/clock-offset"
  for tool in ps lsof sysctl stat date; do
    sed "s|@MACHINE@|$machine|" "$here/bsd-tools.pl" > "$machine/tools/$tool"
  done
  for tool in setsid fallocate flock timeout grep sync; do
    sed "s|@MACHINE@|$machine|" "$here/linux-only.sh" > "$machine/tools/$tool"
  done
  chmod 755 "$machine"/tools/*
  for tool in ps lsof sysctl stat date setsid fallocate flock timeout grep sync; do replace "$tool" "$machine/tools/$tool"; done
fi
if [ "$make" = busybox ]; then
  # What Alpine has no busybox tool for is there as it is.
  mkdir "$machine/system"
  mount --bind /usr/bin "$machine/system"
  for each in "$machine"/system/*; do ln -s "$each" "$machine/tools/"; done
  for tool in $(busybox --list); do ln -sf "$machine/system/busybox" "$machine/tools/$tool"; done
  ln -sf "$machine/system/${shell##*/}" "$machine/tools/sh"
  for dir in /usr/bin /bin; do [ "$dir" -ef "$machine/tools" ] || mount --bind "$machine/tools" "$dir"; done
fi
case $(readlink -f /bin/sh) in
  "$shell" | "$machine"/*) ;;
  *) cp "$shell" "$machine/real/sh" && mount --bind "$machine/real/sh" "$(readlink -f /bin/sh)" ;;
esac
if [ "$make" != "${make#bsd}" ]; then mount -t tmpfs -o ro tmpfs /proc; fi

# Not exec: the first process has to take over and bury orphans. Its death ends the others.
"$@" &
command=$!
trap 'kill -TERM $command' TERM INT HUP
while :; do
  code=0
  wait $command || code=$?
  kill -0 $command 2> /dev/null || exit $code
done
