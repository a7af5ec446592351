import { terminalLine } from "../../../lib/terminal-text.ts";
import type { PermissionAnswer } from "../../../tasks/ports.ts";
import type { CommandContext } from "../command.ts";

/** Gives an agent the answer that it waits for, and says what was answered. */
export async function answerQuestion(
  context: CommandContext,
  { id, answer, said }: { id: string; answer: PermissionAnswer; said: string },
): Promise<void> {
  const { tasks, agents } = await context.runtime();
  const task = await tasks.find(id);
  const by = `cli:${context.environment.userName}`;
  const requestId = (await agents.progress(task))?.needsInput?.requestId ?? "";
  const { tool, title } = await agents.answer(task, { requestId, answer, by });
  if (context.isJson) return context.writeJson({ id: task.record.id, answer: answer.behavior, tool, title });
  context.say(`${said}: ${terminalLine(title)}`);
}
