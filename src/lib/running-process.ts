/** What the system tells of one process that runs. */
export interface RunningProcess {
  pid: number;
  /** Of its program, as far as the system keeps it. */
  name: string;
  /** Pid of the process that started it, or of the one that took it over when that one died. */
  parent: number;
  group: number;
  /** Undefined where the system does not tell (macOS). */
  session: number | undefined;
  /** With the pid it names one process; the same text as the supervisor's sh computes (docs/platforms.md). */
  startTime: string;
}

/**
 * One look at the processes of the machine; an answer may be as old as the look. Of a process that is gone, or is not ours
 * to look at, it tells nothing.
 */
export interface ProcessTable {
  pids(): number[];
  /** A zombie counts as gone. */
  read(pid: number): RunningProcess | undefined;
  /** Its variables, each between zero bytes. Empty also while it is about to become another program. */
  environment(pid: number): string;
  /** Its program and arguments, in one line. */
  command(pid: number): string;
  workingDir(pid: number): string | undefined;
  /** The files with this ending that it has open and may write to, also those that were deleted. */
  writableFiles(pid: number, ending: string): string[];
}
