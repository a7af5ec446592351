import { outputReadBytesMax, taskOutputTimeoutMs, taskOutputTimeoutMsMax } from "../../format/limits.ts";
import type { Clock } from "../../lib/clock.ts";
import { consumeNotice } from "../notices.ts";
import { refreshed, type Task } from "../task.ts";
import { isEnded } from "../task-state.ts";
import { waitForEnd } from "../wait-task.ts";
import { collapseProgress } from "./collapse-progress.ts";
import { filterLines } from "./filter-lines.ts";
import { advanceCursor, readCursor } from "./output-cursor.ts";
import { readFrom, readHeadAndTail, type OutputText } from "./read-output.ts";

export interface TaskOutputOptions {
  /** Wait for the ending. Default true. */
  block?: boolean | undefined;
  timeoutMs?: number | undefined;
  filter?: string | undefined;
  /** Show lines that rewrite themselves as a terminal would in the end. */
  collapse?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Who reads: a read that returns the ending takes the notice. */
  by: string;
  clock: Clock;
}

/** `not_ready`: it runs, and waiting was not asked for. `timeout`: it still runs after the wait. */
export type RetrievalStatus = "success" | "not_ready" | "timeout";

export interface ShellOutput {
  retrievalStatus: RetrievalStatus;
  shellId: string;
  command: string;
  status: string;
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Lines of the text given here. */
  stdoutLines: number;
  stderrLines: number;
  timestamp: string;
}

/** The output and state of a shell task, as TaskOutput gives them. */
export async function readTaskOutput(task: Task, options: TaskOutputOptions): Promise<ShellOutput> {
  const { block = true, timeoutMs = taskOutputTimeoutMs } = options;
  if (timeoutMs < 0 || timeoutMs > taskOutputTimeoutMsMax) {
    throw new RangeError(`Cannot wait ${timeoutMs} ms: between 0 and ${taskOutputTimeoutMsMax} are possible`);
  }
  if (block) await waitForEnd(task, { timeoutMs, signal: options.signal });
  const now = refreshed(task);
  if (isEnded(now.state)) consumeNotice(now, options);
  const read = (file: string): string =>
    shape(readHeadAndTail(file, { bytesMax: outputReadBytesMax }), options);
  return outputOf(now, {
    retrievalStatus: isEnded(now.state) ? "success" : block ? "timeout" : "not_ready",
    stdout: read(now.files.output),
    stderr: now.record.shell.merged ? "" : read(now.files.stderr),
    clock: options.clock,
  });
}

export interface NewOutputOptions {
  /** Each reader has a place of its own. */
  reader: string;
  filter?: string | undefined;
  clock: Clock;
}

/** What is new since this reader last asked, as BashOutput gives it. */
export function readNewOutput(task: Task, { reader, filter, clock }: NewOutputOptions): ShellOutput {
  const now = refreshed(task);
  const cursor = readCursor(now.files, reader);
  const stdout = readFrom(now.files.output, { offset: cursor.stdout, bytesMax: outputReadBytesMax });
  const stderr = readFrom(now.files.stderr, { offset: cursor.stderr, bytesMax: outputReadBytesMax });
  advanceCursor(now.files, reader, { stdout: stdout.next, stderr: stderr.next });
  const isRead = stdout.next >= stdout.totalBytes && stderr.next >= stderr.totalBytes;
  if (isEnded(now.state) && isRead) consumeNotice(now, { by: reader, clock });
  return outputOf(now, {
    retrievalStatus: isEnded(now.state) ? "success" : "not_ready",
    stdout: shape(stdout, { filter }),
    stderr: shape(stderr, { filter }),
    clock,
  });
}

function shape(
  { text, missing }: OutputText,
  { filter, collapse }: { filter?: string | undefined; collapse?: boolean | undefined },
): string {
  if (missing) return "";
  const shown = collapse ? collapseProgress(text) : text;
  return filter === undefined ? shown : filterLines(shown, filter);
}

function outputOf(
  { record, state }: Task,
  {
    retrievalStatus,
    stdout,
    stderr,
    clock,
  }: { retrievalStatus: RetrievalStatus; stdout: string; stderr: string; clock: Clock },
): ShellOutput {
  return {
    retrievalStatus,
    shellId: record.id,
    command: record.command,
    status: state.status,
    exitCode: "exitCode" in state ? state.exitCode : null,
    stdout,
    stderr,
    stdoutLines: countLines(stdout),
    stderrLines: countLines(stderr),
    timestamp: clock.now().toISOString(),
  };
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
