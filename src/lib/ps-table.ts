import { lazily } from "./lazily.ts";
import type { ProcessTable, RunningProcess } from "./running-process.ts";

/** The processes as `ps` and `lsof` show them, for systems without /proc. Each is asked once a look, when it is needed. */
export function lookByPs(): ProcessTable {
  const running = lazily(() => byPid(ps(["-ax", ...COLUMNS]).map(parseProcess)));
  const commands = lazily(() => textsByPid(ps(["-axww", "-o", "pid=", "-o", "command="])));
  // A process that became another program between the two questions has no variables that can be told from arguments.
  const environments = lazily(() => textsByPid(ps(["-axwwE", "-o", "pid=", "-o", "command="])));
  const files = lazily(() => parseOpenFiles(ask("lsof", ["-wnP", "-F", "pan"])));
  return {
    pids: () => [...running().keys()],
    read: (pid) => running().get(pid),
    environment(pid) {
      const command = commands().get(pid);
      const both = environments().get(pid);
      if (command === undefined || !both?.startsWith(`${command} `)) return "";
      return `\0${both.slice(command.length + 1).replaceAll(" ", "\0")}\0`;
    },
    command: (pid) => commands().get(pid) ?? "",
    workingDir: (pid) =>
      parseOpenFiles(ask("lsof", ["-wnP", "-a", "-p", String(pid), "-d", "cwd", "-F", "pan"])).get(pid)?.[0]
        ?.name,
    writableFiles: (pid, ending) =>
      (files().get(pid) ?? []).flatMap(({ access, name }) =>
        name.endsWith(ending) && /[wu]/.test(access) ? [name] : [],
      ),
  };
}

/** One process, without a look at the others. */
export function readByPs(pid: number): RunningProcess | undefined {
  const [line] = ps([...COLUMNS, "-p", String(pid)]);
  return line === undefined ? undefined : parseProcess(line);
}

/** Names this boot of the machine; empty where the system has no name for it. Never the time of the boot, which is reckoned from the clock. */
export function bootBySysctl(): string {
  return ask("sysctl", ["-n", "kern.bootsessionuuid"]).trim();
}

// The session is not among them: macOS prints 0 for everybody.
const COLUMNS = ["pid", "ppid", "pgid", "stat", "lstart", "ucomm"].flatMap((name) => ["-o", `${name}=`]);
const LSTART_WORDS = 5;

function parseProcess(line: string): RunningProcess | undefined {
  const [pid, parent, group, state = "Z", ...rest] = line.trim().split(/\s+/);
  if (state.startsWith("Z") || rest.length < LSTART_WORDS) return undefined;
  return {
    pid: Number(pid),
    name: rest.slice(LSTART_WORDS).join(" "),
    parent: Number(parent),
    group: Number(group),
    session: undefined,
    startTime: rest.slice(0, LSTART_WORDS).join("-"),
  };
}

function byPid(processes: (RunningProcess | undefined)[]): Map<number, RunningProcess> {
  return new Map(processes.flatMap((each) => (each ? [[each.pid, each]] : [])));
}

function textsByPid(lines: string[]): Map<number, string> {
  return new Map(
    lines.flatMap((line) => {
      const [, pid, text] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), text!.trim()]];
    }),
  );
}

interface OpenFile {
  access: string;
  name: string;
}

// A line each: p and the pid, then for each descriptor f and its number, a and how it is open, n and its name.
function parseOpenFiles(text: string): Map<number, OpenFile[]> {
  const found = new Map<number, OpenFile[]>();
  let open: OpenFile[] = [];
  let access = "";
  for (const line of linesOf(text)) {
    const value = line.slice(1);
    if (line.startsWith("p")) found.set(Number(value), (open = []));
    else if (line.startsWith("f")) access = "";
    else if (line.startsWith("a")) access = value;
    else if (line.startsWith("n")) open.push({ access, name: decodeName(value) });
  }
  return found;
}

// Under LC_ALL=C the bytes of a name that are not ASCII are written as \xNN.
function decodeName(text: string): string {
  const bytes = text.replaceAll(/\\x([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function ps(args: string[]): string[] {
  return linesOf(ask("ps", args));
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

// The same text whatever the user's language and time zone: start times are compared letter by letter.
function ask(program: string, args: string[]): string {
  // Loaded only where it is needed: it would cost every Linux process some milliseconds for nothing.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const env = { PATH: SYSTEM_PATH, LC_ALL: "C", TZ: "UTC0" };
  // Lsof also fails when it has only missed some files.
  const { stdout } = spawnSync(program, args, { env, encoding: "latin1", maxBuffer: OUTPUT_BYTES_MAX });
  return stdout ?? "";
}

// The system's own tools, whatever a user has put before them: theirs may speak another dialect.
const SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";
