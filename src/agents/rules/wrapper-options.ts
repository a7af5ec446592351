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
export const opaquePrograms: RegExp = new RegExp(
  `^(?:${words(
    "alias bind complete compgen enable fc let shopt at batch capsh chrt crontab csh daemonize dbus-run-session dtach elvish entr " +
      "expect firejail fish flock fzf gdb gosu hush hyperfine ld-[a-z].* ld\\.so.* linux32 linux64 lksh ltrace mosh nsenter nu " +
      "numactl oksh parallel perf pkexec posh proot prlimit proxychains4? pwsh rlwrap run0 runuser screen script setarch setpriv " +
      "socat sshpass start-stop-daemon strace su systemd-run tcsh tmux torsocks unshare valgrind watch xonsh xvfb-run",
  ).join("|")})$`,
);

/**
 * Variables whose value a shell or a program runs: prompts and start-up files of bash, editors, pagers, helpers of git and
 * others, and where programs and libraries are looked for.
 */
export const runningVariables: RegExp =
  /^(?:PS[0-4]|PROMPT_COMMAND|BASH_ENV|BASH_FUNC.*|BASH_CMDS|BASH_ALIASES|ENV|.*EDITOR|.*PAGER|VISUAL|BROWSER|SHELL|MAKEFLAGS|MAKESHELL|LESS(?:OPEN|CLOSE)|LD_.*|DYLD_.*|GIT_.*(?:SSH|COMMAND|DIFF|ASKPASS|PATH|DIR|CONFIG).*|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|.*_CONFIG_SCRIPT_SHELL|npm_config_.*|NODE_OPTIONS|PYTHON(?:STARTUP|INSPECT)|PERL5(?:OPT|DB)|RUBYOPT)$/;

/** Options with which programs that do something harmless run a program of the caller's choice. A value may have lines. */
export const runningOptions: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^--com.*$/s],
  ["tar", /^(?:--to-c.*|--checkpoint-a.*|--us.*|-[a-zA-Z]*[IF].*|--inf.*|--new-vol.*|--rsh.*|--rmt.*)$/s],
  ["rsync", /^(?:-[a-zA-Z]*e.*|--rsh.*|--rsync-path.*)$/s],
  ["ssh", /^(?:-[a-zA-Z]*[oF].*)$/s],
  ["scp", /^(?:-[a-zA-Z]*[oFS].*)$/s],
  ["man", /^(?:-[a-zA-Z]*[PH].*|--pager.*|--html.*)$/s],
  ["rg", /^(?:--pre.*|--hostname-bin.*|-[a-zA-Z]*z.*|--search-zip)$/s],
  ["jobs", /^-.*x.*$/s],
  ["hash", /^-.*p.*$/s],
  ["mapfile", /^-.*C.*$/s],
  ["readarray", /^-.*C.*$/s],
  ["awk", /system|\||>|getline|^-[fiEl]|^--(?:file|include|exec|load)|@/],
  ["sftp", /^(?:-[a-zA-Z]*[oFSD].*)$/s],
  ["split", /^--f.*$/s],
  ["zip", /^(?:-[a-zA-Z]*T.*|--unz.*)$/s],
  ["wget", /^(?:-[a-zA-Z]*e.*|--exe.*|--use-a.*)$/s],
  ["nc", /^(?:-[a-zA-Z]*[ec].*)$/s],
  ["ncat", /^(?:-[a-zA-Z]*[ec].*|--(?:sh-)?exec.*|--lua.*)$/s],
  ...words("bat batcat ag ack").map((name): [string, RegExp] => [name, /^--pager.*$/s]),
  ["hg", /^--config.*$/s],
  // Settings are taken by their beginnings, too.
  ...words("npm npx pnpm yarn").map((name): [string, RegExp] => [
    name,
    /^--(?:scr|sh|node-o|git|ed|vi|br|userc|globalc|init-m).*$/s,
  ]),
]);
