import { terminalLine } from "../../lib/terminal-text.ts";
import type { CommandContext } from "./command.ts";

interface NotFound {
  isTask: boolean;
  /** What was typed; undefined where it was no id. */
  id: string | undefined;
  near: readonly string[];
}

/** What to do about an id that nothing has: the other kind that has it, what is near, and where all are listed. */
export async function notFoundLines(
  context: CommandContext,
  { isTask, id, near }: NotFound,
): Promise<string[]> {
  const other =
    id === undefined ? undefined : await otherKind(context, { isTask, id }).catch(() => undefined);
  if (other !== undefined) return [other];
  const list = isTask
    ? "Run `holdfast ps -a` to see every task."
    : "Run `holdfast sessions --all` to see every session.";
  if (near.length === 0) return [list];
  const { candidateLines } = await import("./candidate-lines.ts");
  const lines = await candidateLines(
    context,
    near.map((nearId) => ({ id: nearId })),
  );
  return ["Did you mean:", ...lines, list];
}

// Ids of tasks and of sessions stand side by side in many lists.
async function otherKind(
  context: CommandContext,
  { isTask, id }: Pick<NotFound, "isTask"> & { id: string },
): Promise<string | undefined> {
  const { tasks, sessions } = await context.runtime();
  if (isTask) {
    const { sessionId } = await sessions.find(id);
    return `It is a session: holdfast show ${terminalLine(sessionId).slice(0, 8)}`;
  }
  const { record } = await tasks.find(id);
  return `It is a task: holdfast logs ${terminalLine(record.id)}`;
}
