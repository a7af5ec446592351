import { codeOf } from "../../../lib/errors.ts";
import type { PermissionPolicy } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Task } from "../../../tasks/record/task.ts";
import {
  agentOptions,
  askedBy,
  limitOptions,
  type AgentOptions,
  type LimitOptions,
} from "../agents/agent-options.ts";
import { reportLaunch } from "../agents/report-launch.ts";
import type { Command, CommandContext } from "../command.ts";

interface ResumeOptions extends AgentOptions, LimitOptions {
  permission?: PermissionPolicy;
  wait?: boolean;
}

export const command: Command<ResumeOptions> = {
  arguments: [
    {
      name: "id",
      text: "an agent that has ended, or a session: its id, a unique prefix, or @last",
      kind: ["task", "session"],
      pick: "resumable",
    },
    {
      name: "prompt",
      text: "what to say to it; an interrupted agent needs no prompt",
      kind: "text",
      isOptional: true,
    },
  ],
  examples: [
    {
      line: "holdfast resume a3f1",
      text: "continue an agent whose process died, where its transcript ends",
    },
    {
      line: "holdfast resume a3f1 'Now write the tests' --wait",
      text: "say more to an agent that has answered",
    },
    { line: "holdfast resume 1b3e", text: "a session: opens it in the chat" },
  ],
  options: [
    ...agentOptions,
    {
      flags: "--permission <policy>",
      text: "who decides about tools from now on: ask, rules, allow, deny",
      choices: ["ask", "allow", "deny", "rules"],
    },
    ...limitOptions,
    { flags: "--wait", text: "wait for its answer and print it" },
  ],
  async run(context, { arguments: [id = "", prompt], options }) {
    const { tasks, starting } = await context.runtime();
    const task = await findTask(tasks, id);
    if (!task) return openSession(context, { id, options });
    const asked = { ...askedBy(options), prompt };
    const started = await starting.continue(task, asked, context.environment);
    return reportLaunch(context, { started, ...options });
  },
};

// What is no task may be a session. `@last` is a task here, as in every command that takes both.
async function findTask(tasks: Tasks, id: string): Promise<Task | undefined> {
  try {
    return await tasks.find(id);
  } catch (error) {
    if (codeOf(error) === "task_not_found" && id !== "@last") return undefined;
    throw error;
  }
}

async function openSession(
  context: CommandContext,
  { id, options: { wait: _wait, ...options } }: { id: string; options: ResumeOptions },
): Promise<number | void> {
  const chat = await import("./chat.ts");
  return chat.command.run(context, { arguments: [], options: { ...options, resume: id } });
}
