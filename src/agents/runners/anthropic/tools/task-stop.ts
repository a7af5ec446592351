import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const taskStopTool: Tool = defineTool({
  name: "TaskStop",
  description: "Stops a background command or agent, with everything that it started.",
  schema: z.object({
    task_id: z.string().min(1).describe("The id that you got when it was started"),
  }),
  needsPermission: true,
  title: ({ task_id: id }) => `Stop task ${id}`,
  async run({ task_id: taskId }, { tasks }) {
    const toolUseResult = {
      message: `Task ${taskId} has ended`,
      task_id: taskId,
      ...(await tasks.stop(taskId)),
    };
    return { content: toolUseResult.message, toolUseResult };
  },
});
