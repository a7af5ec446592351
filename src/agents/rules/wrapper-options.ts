/** Programs that start another one which stands in their arguments: what comes before it. */
export interface WrapperOptions {
  /** Options that take a value, in the same word or the next. */
  values?: readonly string[];
  flags?: readonly string[];
  /** Arguments before the command. */
  operands?: number;
  /** `NAME=VALUE` may stand before the command. */
  isSettingVariables?: boolean;
  /** Rules about the command say enough of it, as Claude Code documents. */
  isPassedOver?: boolean;
}

const words = (list: string): string[] => list.split(" ");

export const wrappers: ReadonlyMap<string, WrapperOptions> = new Map<string, WrapperOptions>([
  ["nohup", { isPassedOver: true }],
  [
    "nice",
    { values: words("-n --adjustment"), flags: words("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9"), isPassedOver: true },
  ],
  ["stdbuf", { values: words("-i -o -e --input --output --error"), isPassedOver: true }],
  [
    "timeout",
    {
      values: words("-k -s --kill-after --signal"),
      flags: words("-v -f -p --verbose --foreground --preserve-status"),
      operands: 1,
      isPassedOver: true,
    },
  ],
  [
    "time",
    { values: words("-o -f --output --format"), flags: words("-p -v -a --portability --verbose --append") },
  ],
  [
    "env",
    {
      values: words("-u -C --unset --chdir"),
      flags: words("- -i -v --ignore-environment --debug"),
      isSettingVariables: true,
    },
  ],
  [
    "sudo",
    {
      values: words("-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot"),
      flags: words(
        "-n -E -H -S -k -K -b -i -s -A -P -B --non-interactive --preserve-env --set-home --stdin --login",
      ),
      isSettingVariables: true,
    },
  ],
  ["doas", { values: words("-u -C -a"), flags: words("-n -s -L") }],
  [
    "xargs",
    {
      values: words(
        "-I -n -P -L -s -d -E -a --replace --max-args --max-procs --max-lines --max-chars --delimiter --arg-file --eof",
      ),
      flags: words("-0 -r -t -x -o --null --no-run-if-empty --verbose --exit"),
    },
  ],
  ["command", { flags: words("-p") }],
  ["builtin", {}],
  ["exec", { values: words("-a"), flags: words("-c -l") }],
  ["setsid", { flags: words("-c -f -w --ctty --fork --wait") }],
  ["ionice", { values: words("-c -n --class --classdata"), flags: words("-t --ignore") }],
  ["taskset", { flags: words("-a -c --all-tasks --cpu-list"), operands: 1 }],
  ["chroot", { values: words("--userspec --groups"), operands: 1 }],
  ["busybox", {}],
  ["toybox", {}],
  ["fakeroot", {}],
  ["eatmydata", {}],
  ["unbuffer", {}],
]);

/** Builtins and programs that run what nobody can read from their arguments with certainty. */
export const opaquePrograms: ReadonlySet<string> = new Set(
  words(
    "alias bind complete compgen enable fc let shopt at batch capsh crontab csh dbus-run-session entr expect firejail fish flock " +
      "gdb gosu linux32 linux64 ltrace nsenter parallel proot prlimit rlwrap runuser script setarch strace su systemd-run tcsh " +
      "unshare watch xvfb-run",
  ),
);

/** Options with which programs that do something harmless run a program of the caller's choice. */
export const runningOptions: ReadonlyMap<string, RegExp> = new Map([
  [
    "git",
    /^(?:-c.*|--config-env.*|--exec-path=.*|--upload-pack.*|--receive-pack.*|-O.*|--open-files.*|--ext-diff|ext::.*|-x|--exec.*|foreach|run|filter-branch)$/,
  ],
  ["sort", /^--com.*$/],
  ["tar", /^(?:--to-c.*|--checkpoint-a.*|--us.*|-[a-zA-Z]*[IF].*|--inf.*|--new-vol.*|--rsh.*|--rmt.*)$/],
  ["rsync", /^(?:-[a-zA-Z]*e.*|--rsh.*|--rsync-path.*)$/],
  ["ssh", /^(?:-[a-zA-Z]*[oF].*)$/],
  ["scp", /^(?:-[a-zA-Z]*[oFS].*)$/],
  ["man", /^(?:-[a-zA-Z]*[PH].*|--pager.*|--html.*)$/],
  ["rg", /^(?:--pre.*|--hostname-bin.*|-[a-zA-Z]*z.*|--search-zip)$/],
  ["jobs", /^-.*x.*$/],
  ["hash", /^-.*p.*$/],
  ["mapfile", /^-.*C.*$/],
  ["readarray", /^-.*C.*$/],
  ["awk", /system|\||>|getline|^-[fiEl]|^--(?:file|include|exec|load)|@/],
  [
    "sed",
    /(?:^|[;{}\d$/!,\s])[ewWrR](?:\s|$)|[/|#,@!:][gpiImM\d]*[ew][gpiImM\d]*(?:$|[;}\s])|^-[a-zA-Z]*f|^--file/,
  ],
]);
