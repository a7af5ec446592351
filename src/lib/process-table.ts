import fs from "node:fs";

/**
 * What the system tells of the processes that run: the one place that asks it. Of a process that is gone, or is not ours
 * to look at, it tells nothing. Where there is no /proc, no process is found.
 */
export interface RunningProcess {
  pid: number;
  /** Of its program, as far as the system keeps it. */
  name: string;
  /** Pid of the process that started it, or of the one that took it over when that one died. */
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot; with the pid it names one process. */
  startTime: string;
}

/** False where the system does not tell: then that nothing is found means nothing. */
export function canListProcesses(): boolean {
  return fs.existsSync("/proc/self/stat");
}

export function listPids(): number[] {
  return namesIn("/proc")
    .filter((name) => /^\d/.test(name))
    .map(Number);
}

/** A zombie counts as gone. */
export function readProcess(pid: number): RunningProcess | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The name is in parentheses and may hold spaces and parentheses itself.
  const nameEnd = stat.lastIndexOf(")");
  const [state = "", parent, group, session, ...rest] = stat.slice(nameEnd + 2).split(" ");
  const startTime = rest[15];
  if (startTime === undefined || state === "Z" || state === "X") return undefined;
  const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
  return { pid, name, parent: Number(parent), group: Number(group), session: Number(session), startTime };
}

/** Its variables, each between zero bytes. Empty also while it is about to become another program. */
export function readEnvironment(pid: number): string {
  const text = readText(`/proc/${pid}/environ`);
  return text === "" ? "" : `\0${text}\0`;
}

/** Its program and arguments, in one line. */
export function readCommand(pid: number): string {
  return readText(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
}

export function readWorkingDir(pid: number): string | undefined {
  return readLink(`/proc/${pid}/cwd`);
}

/** The files with this ending that it has open and may write to, also those that were deleted. */
export function listWritableFiles(pid: number, ending: string): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((fd) => {
    const file = readLink(`/proc/${pid}/fd/${fd}`)?.replace(/ \(deleted\)$/, "");
    return file?.endsWith(ending) && mayWrite(pid, fd) ? [file] : [];
  });
}

const ACCESS_MODE = 0o3;

function mayWrite(pid: number, fd: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readText(`/proc/${pid}/fdinfo/${fd}`))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & ACCESS_MODE) !== fs.constants.O_RDONLY;
}

function readText(file: string, encoding: "latin1" | "utf8" = "latin1"): string {
  return quietly(() => fs.readFileSync(file, encoding)) ?? "";
}

function readLink(file: string): string | undefined {
  return quietly(() => fs.readlinkSync(file));
}

function namesIn(dir: string): string[] {
  return quietly(() => fs.readdirSync(dir)) ?? [];
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
