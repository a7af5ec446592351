import type { Reader } from "../../../tasks/notices/told.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Task } from "../../../tasks/record/task.ts";
import type { CommandContext } from "../command.ts";

/** Who reads what a command shows: the session whose client runs it, or else the person who typed it. */
export function readerOf({ environment: { sessionId, userName } }: CommandContext): Reader {
  return { by: sessionId ?? `cli:${userName}`, sessionId };
}

/** The endings of these tasks are shown by this command: once they are out, whoever they belong to has been told. */
export function tellEndings(context: CommandContext, tasks: Tasks, ended: readonly Task[]): void {
  context.whenDelivered(async () => {
    for (const task of ended) await tasks.told(task, readerOf(context));
  });
}
