import { outputCountBytesMax, outputReadBytesMax } from "./limits.ts";
import { taskOutputTimeoutMs, taskOutputTimeoutMsMax } from "../../format/limits.ts";
import type { Clock } from "../../lib/clock.ts";
import { taskError } from "../errors.ts";
import { ifThereIsRoom, noteTold, type Reader } from "../notices/told.ts";
import { refreshed, type Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { waitForEnd } from "../record/wait-task.ts";
import { collapseProgress } from "../../lib/collapse-progress.ts";
import { filterLines } from "./filter-lines.ts";
import { advanceCursor, readCursor } from "./output-cursor.ts";
import {
  countOutputLines,
  readFrom,
  readHeadAndTail,
  truncationMark,
  type OutputText,
} from "./read-output.ts";

export interface TaskOutputOptions extends Telling {
  /** Wait for the ending. Default true. */
  block?: boolean | undefined;
  timeoutMs?: number | undefined;
  filter?: string | undefined;
  /** Show lines that rewrite themselves as a terminal would in the end. */
  collapse?: boolean | undefined;
  signal?: AbortSignal | undefined;
  clock: Clock;
}

/** A read that returns the ending to the task's owner takes the notice. */
export interface Telling extends Reader {
  /** For a reader that has still to deliver the answer: given the taking of the notice, to be called afterwards. */
  whenDelivered?: ((told: () => void) => void) | undefined;
}

/** `not_ready`: it runs, and waiting was not asked for. `timeout`: it still runs after the wait. */
export type RetrievalStatus = "success" | "not_ready" | "timeout";

export interface ShellOutput {
  retrieval_status: RetrievalStatus;
  shellId: string;
  command: string;
  status: string;
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /**
   * Lines of the whole output, though the text may be an excerpt; of what is new, the lines that are new, before the filter.
   * Null when the output was removed, or is so large that counting would take longer than reading.
   */
  stdoutLines: number | null;
  stderrLines: number | null;
  timestamp: string;
}

/** The task as it is when its output is to be read: when it has ended, or after the wait. */
export async function waitToRead(
  task: Task,
  { block = true, timeoutMs = taskOutputTimeoutMs, signal }: TaskOutputOptions,
): Promise<{ now: Task; retrieval: RetrievalStatus }> {
  if (timeoutMs < 0 || timeoutMs > taskOutputTimeoutMsMax) {
    throw new RangeError(`Cannot wait ${timeoutMs} ms: it must be between 0 and ${taskOutputTimeoutMsMax}`);
  }
  if (block) await waitForEnd(task, { timeoutMs, signal });
  const now = refreshed(task);
  return { now, retrieval: isEnded(now.state) ? "success" : block ? "timeout" : "not_ready" };
}

/** The output and state of a shell task, as TaskOutput gives them. */
export async function readTaskOutput(task: Task, options: TaskOutputOptions): Promise<ShellOutput> {
  const { now, retrieval } = await waitToRead(task, options);
  const read = (file: string): StreamText => ({
    text: shape(readHeadAndTail(file, { bytesMax: outputReadBytesMax }), options),
    lines: countOutputLines(file, { bytesMax: outputCountBytesMax }) ?? null,
  });
  const output = outputOf(now, {
    retrieval,
    stdout: read(now.files.output),
    stderr: now.record.shell.merged ? nothing : read(now.files.stderr),
    clock: options.clock,
  });
  // Only a read that gave it: one that was refused took nothing.
  if (isEnded(now.state)) tell(now, options);
  return output;
}

/** Notes that the ending was read, at once or when the reader has delivered it. */
export function tell(task: Task, { whenDelivered, ...reader }: Telling & { clock: Clock }): void {
  const told = (): void => noteTold(task, reader);
  if (whenDelivered) whenDelivered(told);
  else told();
}

export interface NewOutputOptions extends Omit<Telling, "by"> {
  /** Each reader has a place of its own. */
  reader: string;
  filter?: string | undefined;
  clock: Clock;
}

/** What is new since this reader last asked, as BashOutput gives it. */
export function readNewOutput(task: Task, options: NewOutputOptions): ShellOutput {
  const { reader, filter, clock } = options;
  if (task.record.kind !== "local_bash") {
    const why = "it is an agent, whose answer is read as a whole";
    throw taskError("not_supported", `Cannot read new output of task "${task.record.id}": ${why}`);
  }
  const now = refreshed(task);
  const isFinal = isEnded(now.state);
  const cursor = readCursor(now.files, reader);
  const read = (file: string, offset: number): ReturnType<typeof readFrom> =>
    readFrom(file, { offset, bytesMax: outputReadBytesMax, isFinal });
  const stdout = read(now.files.output, cursor.stdout);
  const stderr = now.record.shell.merged ? undefined : read(now.files.stderr, cursor.stderr);
  const output = outputOf(now, {
    retrieval: isFinal ? "success" : "not_ready",
    stdout: { text: shape(stdout, { filter }), lines: newLinesIn(stdout) },
    stderr: stderr ? { text: shape(stderr, { filter }), lines: newLinesIn(stderr) } : nothing,
    clock,
  });
  // Only now: a read that was refused moves nobody's place.
  const isRead = stdout.next >= stdout.totalBytes && (!stderr || stderr.next >= stderr.totalBytes);
  const next = { stdout: stdout.next, stderr: stderr?.next ?? 0 };
  if (next.stdout !== cursor.stdout || next.stderr !== cursor.stderr)
    ifThereIsRoom(() => advanceCursor(now.files, reader, next));
  if (isFinal && isRead) tell(now, { ...options, by: reader });
  return output;
}

function shape(
  { text, missing }: OutputText,
  { filter, collapse }: { filter?: string | undefined; collapse?: boolean | undefined },
): string {
  if (missing) return "[output removed]\n";
  const shown = collapse ? collapseProgress(text) : text;
  return filter === undefined ? shown : filterLines(shown, filter);
}

/** What is shown of a stream, and how many lines it has. */
interface StreamText {
  text: string;
  lines: number | null;
}

const nothing: StreamText = { text: "", lines: 0 };

function outputOf(
  { record, state }: Task,
  {
    retrieval,
    stdout,
    stderr,
    clock,
  }: { retrieval: RetrievalStatus; stdout: StreamText; stderr: StreamText; clock: Clock },
): ShellOutput {
  return {
    retrieval_status: retrieval,
    shellId: record.id,
    command: record.command,
    status: state.status,
    exitCode: "exitCode" in state ? state.exitCode : null,
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutLines: stdout.lines,
    stderrLines: stderr.lines,
    timestamp: clock.now().toISOString(),
  };
}

// What was skipped is no line of the task's.
function newLinesIn({ text, truncatedBytes, missing }: OutputText): number | null {
  if (missing) return null;
  const printed = truncatedBytes > 0 ? text.slice(truncationMark(truncatedBytes).length) : text;
  if (printed === "") return 0;
  return printed.split("\n").length - (printed.endsWith("\n") ? 1 : 0);
}
