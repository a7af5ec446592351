import { z } from "zod";
import { taskDescriptionLengthMax, taskOutputTimeoutMsMax } from "../../../../format/limits.ts";
import { beginningOf } from "../../../../lib/whole-characters.ts";
import { readReport, type TaskReport } from "./task-report.ts";
import { defineTool, failure, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const schema = z.object({
  description: z.string().min(1).describe("The task in three to five words"),
  prompt: z.string().min(1).describe("All that the agent needs to know; it does not see this conversation"),
  subagent_type: z.string().optional().describe("Which type of agent; general-purpose unless given"),
  model: z
    .string()
    .optional()
    .describe("Another model than the type's or yours: sonnet, opus, haiku, or an id"),
  run_in_background: z.boolean().optional().describe("Go on at once; you are told when it has answered"),
});

type TaskInput = z.infer<typeof schema>;

export const taskTool: Tool = defineTool({
  name: "Task",
  description: `Starts another agent on a task of its own, with the same tools, and gives you its answer. Good for searches whose details you do not need, and for parts that can be done side by side: several in one message work at the same time. Types: general-purpose, Explore (reads only), Plan (reads only, ends in a plan), and those that the project defines.`,
  schema,
  needsPermission: true,
  isConcurrent: true,
  title: ({ description, subagent_type: type }) => `Start ${type ?? "an agent"}: ${description}`,
  async run(input, context) {
    const { prompt, subagent_type: type, model } = input;
    const started = await context.tasks.startAgent({
      prompt,
      description: beginningOf(input.description, taskDescriptionLengthMax),
      toolUseId: context.toolUseId,
      ...(type !== undefined && { type }),
      ...(model !== undefined && { model }),
    });
    return input.run_in_background ? launched(input, started) : answered(input, started.taskId, context);
  },
});

function launched(
  { description, prompt }: TaskInput,
  { taskId, outputFile }: { taskId: string; outputFile: string },
): ToolOutcome {
  const text = `Async agent launched successfully.\nagentId: ${taskId}\noutput_file: ${outputFile}\nYou are told when it has answered; TaskOutput reads or awaits it.`;
  return {
    content: [{ type: "text", text }],
    toolUseResult: {
      isAsync: true,
      status: "async_launched",
      agentId: taskId,
      description,
      prompt,
      outputFile,
    },
  };
}

async function answered(
  { prompt, subagent_type: agentType }: TaskInput,
  taskId: string,
  context: ToolContext,
): Promise<ToolOutcome> {
  const report = await awaitAnswer(taskId, context);
  if (report === undefined) return failure("Interrupted: the agent was stopped before it answered");
  const { status, answer, text, error } = report;
  if (status !== "completed" || !answer)
    return failure([`The agent (${taskId}) ${status}${error ? `: ${error}` : ""}`, text].join("\n").trim());
  const { content } = answer;
  return {
    content: content.length > 0 ? content : "(the agent gave no answer)",
    toolUseResult: {
      status: "completed",
      prompt,
      agentId: taskId,
      ...(agentType !== undefined && { agentType }),
      ...answer,
    },
  };
}

// Undefined when it was interrupted. The agent is a task that would outlive this one; but who waited for it is gone.
async function awaitAnswer(taskId: string, { tasks, signal }: ToolContext): Promise<TaskReport | undefined> {
  try {
    for (;;) {
      const options = { block: true, timeoutMs: taskOutputTimeoutMsMax, signal };
      const report = readReport(taskId, await tasks.output(taskId, options));
      if (report.retrievalStatus === "success") return report;
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await tasks.stop(taskId);
    return undefined;
  }
}
