import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Task } from "../../../index.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { CommandContext } from "../command.ts";
import { taskLabel } from "../tasks/status-text.ts";

/**
 * Says what agents among these tasks ask, until it is aborted: whoever waits for one would otherwise wait for an answer
 * that only they can give. Each question is said once, with the command that answers it.
 */
export function tellQuestions(
  { say, environment }: CommandContext,
  { tasks, agents }: Runtime,
  waitedFor: readonly Task[],
): AbortController {
  const over = new AbortController();
  const waited = new Map(
    waitedFor.filter(({ record }) => record.agent).map((task) => [task.record.id, task]),
  );
  const told = new Set<string>();
  const tell = async (): Promise<void> => {
    for await (const event of tasks.events({ signal: over.signal })) {
      const task = waited.get(event.task_id);
      const asked = task && (await agents.progress(task))?.needsInput;
      if (!task || !asked || told.has(asked.requestId)) continue;
      told.add(asked.requestId);
      const { id } = task.record;
      // At a terminal, approve shows the question before it asks. Elsewhere the question has to be named.
      const which = environment.isAnswering ? "" : ` --request ${asked.requestId}`;
      say(`Task ${taskLabel(task.record)} asks: ${terminalLine(asked.title)}`);
      say(`Answer in another terminal: holdfast approve ${id}${which}`);
    }
  };
  if (waited.size > 0)
    void tell().catch(() => {
      // The wait goes on without the news; ps shows the question, too.
    });
  return over;
}
