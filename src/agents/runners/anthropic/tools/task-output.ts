import { z } from "zod";
import { taskOutputTimeoutMs, taskOutputTimeoutMsMax } from "../../../../format/limits.ts";
import { disarmTags } from "../../../../format/disarm-tags.ts";
import { terminalText } from "../../../../lib/terminal-text.ts";
import { readReport, type TaskReport } from "./task-report.ts";
import { defineTool, type Tool } from "./tool.ts";

export const taskOutputTool: Tool = defineTool({
  name: "TaskOutput",
  description: `Gives the state and the output of a background command or agent. Waits for its end unless block is false; when it still runs after the wait, that is no error.`,
  schema: z.object({
    task_id: z.string().min(1).describe("The id that you got when it was started"),
    block: z.boolean().optional().describe("Wait for its end; true unless given"),
    timeout: z
      .number()
      .min(0)
      .max(taskOutputTimeoutMsMax)
      .optional()
      .describe(`How many milliseconds to wait at most; ${taskOutputTimeoutMs} unless given`),
  }),
  isConcurrent: true,
  title: ({ task_id: id }) => `Read the output of task ${id}`,
  async run({ task_id: taskId, block = true, timeout: timeoutMs = taskOutputTimeoutMs }, { tasks, signal }) {
    const report = readReport(taskId, await tasks.output(taskId, { block, timeoutMs, signal }));
    const { retrievalStatus, kind, status, text, exitCode } = report;
    return {
      content: asTags(report),
      toolUseResult: {
        retrieval_status: retrievalStatus,
        task: {
          task_id: taskId,
          task_type: kind,
          status,
          output: text,
          ...(exitCode !== undefined && { exitCode }),
        },
      },
    };
  },
});

// What a task printed stands between our tags, and could close them. Of the rest a model must see the real `<`.
function asTags({ taskId, retrievalStatus, kind, status, text, exitCode, error }: TaskReport): string {
  const tags = {
    retrieval_status: retrievalStatus,
    task_id: taskId,
    task_type: kind,
    status,
    exit_code: exitCode,
    error,
    output: `\n${text}\n`,
  };
  return Object.entries(tags)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${disarmTags(terminalText(String(value)))}</${name}>`)
    .join("\n\n");
}
