import fs from "node:fs";
import { writeFileAtomic } from "../../../lib/atomic-write.ts";
import { readJson } from "../../../lib/read-json.ts";
import type { TaskFiles } from "../../record/task-files.ts";

/** That an ended agent goes on as another task: `<id>.continued`, written before that one is started. */
interface Continuation {
  schemaVersion: 1;
  taskId: string;
}

/** The task that an agent was continued as; undefined when it was not, or when whoever tried has failed. */
export function continuedAs(files: TaskFiles): string | undefined {
  const { base, id } = files;
  const continuation = readJson(files.continued) as Continuation | null | undefined;
  if (continuation?.schemaVersion !== 1) return undefined;
  const { taskId } = continuation;
  return fs.existsSync(`${base.slice(0, -id.length)}${taskId}.json`) ? taskId : undefined;
}

/** Only by who holds the lease of continuing it. */
export function writeContinuation(files: TaskFiles, taskId: string): void {
  const continuation: Continuation = { schemaVersion: 1, taskId };
  writeFileAtomic(files.continued, `${JSON.stringify(continuation)}\n`);
}
