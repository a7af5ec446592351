import { taskView } from "../../runtime/views/task-view.ts";
import { z } from "zod";
import { defineTool, readerOf, type Tool } from "./tool.ts";

export const stopTool: Tool = defineTool({
  name: "stop",
  title: "Stop a task",
  description: "Stops a background task with everything it started, and returns only when all of it is gone.",
  input: z.strictObject({
    id: z.string().min(1).describe("The task's id, a unique beginning of it, its name, or @last"),
    reason: z.string().optional().describe("Why; kept with its ending"),
  }),
  isReadOnly: false,
  async call({ id, reason }, context) {
    const { tasks } = context.runtime;
    const task = await tasks.find(id);
    const reader = readerOf(context);
    await tasks.stop(task, { by: reader.by, reason });
    context.whenDelivered(() => tasks.told(task, reader));
    return taskView(await tasks.refresh(task));
  },
});
