import { taskCheckMs } from "../../../format/limits.ts";
import { createFileAtomic, writeFileAtomic } from "../../../lib/atomic-write.ts";
import type { Clock } from "../../../lib/clock.ts";
import { codeOf, HoldfastError } from "../../../lib/errors.ts";
import { watchChanges } from "../../../lib/watch-changes.ts";
import { readJson } from "../../../lib/read-json.ts";
import { taskError } from "../../errors.ts";
import type { PermissionAnswer } from "../../ports.ts";
import { isTaskName, type TaskFiles } from "../../record/task-files.ts";
import { touchTask } from "../../record/touch-task.ts";
import { readProgress, type NeededInput } from "./agent-progress.ts";

/** An answer as it is on the disk, with who gave it. */
export interface AnswerFile {
  schemaVersion: 1;
  answer: PermissionAnswer;
  by: string;
  at: string;
}

export interface GivenAnswer {
  /** The question that is answered: `requestId` of `needsInput`. */
  requestId: string;
  answer: PermissionAnswer;
  by: string;
}

/**
 * Answers a question that an agent waits for; of several answers the first one counts. Returns the question. Throws
 * `not_waiting` when there is none, or when somebody has just answered it; `conflict` when it asks something else by now.
 */
export function answerPermission(
  files: TaskFiles,
  { requestId, answer, by, clock }: GivenAnswer & { clock: Clock },
): NeededInput {
  const needed = readProgress(files)?.needsInput;
  if (!needed) throw taskError("not_waiting", `Cannot answer task "${files.id}": it does not ask anything`);
  if (needed.requestId !== requestId) {
    const message = `Cannot answer task "${files.id}": it now asks "${needed.requestId}", not "${requestId}"`;
    throw new HoldfastError(message, { code: "conflict", fields: { requestId: needed.requestId } });
  }
  const file: AnswerFile = { schemaVersion: 1, answer, by, at: clock.now().toISOString() };
  try {
    createFileAtomic(answerPath(files, needed.requestId), `${JSON.stringify(file)}\n`);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
    throw taskError("not_waiting", `Cannot answer task "${files.id}": somebody else has just answered`, {
      cause,
    });
  }
  touchTask(files);
  return needed;
}

/** Waits for the answer to a question. Rejects when the signal comes first. */
export async function waitForAnswer(
  files: TaskFiles,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
): Promise<PermissionAnswer> {
  // Whoever answers touches the task.
  const changes = watchChanges([files.endingDraft], { checkMs: taskCheckMs, signal });
  try {
    for (;;) {
      const file = readJson(answerPath(files, requestId)) as AnswerFile | null | undefined;
      if (file?.schemaVersion === 1) return file.answer;
      if ((await changes.next()) === "aborted") throw signal.reason;
    }
  } finally {
    changes.close();
  }
}

/** How a question was answered; undefined while it was not. It is known as long as the task is. */
export function readAnswer(files: TaskFiles, requestId: string): AnswerFile | undefined {
  if (!isTaskName(requestId)) return undefined;
  const file = readJson(answerPath(files, requestId)) as AnswerFile | null | undefined;
  return file?.schemaVersion === 1 ? file : undefined;
}

/** What was allowed for the whole task, as rules. */
export function readAllowed(files: TaskFiles): string[] {
  const file = readJson(files.allowed) as { allow?: unknown } | null | undefined;
  return Array.isArray(file?.allow) ? file.allow.filter((rule) => typeof rule === "string") : [];
}

export function writeAllowed(files: TaskFiles, allow: readonly string[]): void {
  writeFileAtomic(files.allowed, `${JSON.stringify({ schemaVersion: 1, allow })}\n`);
}

function answerPath({ base }: TaskFiles, requestId: string): string {
  return `${base}.answer.${requestId}`;
}
