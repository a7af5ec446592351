import { taskView } from "../../runtime/views/task-view.ts";
import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const statusTool: Tool = defineTool({
  name: "status",
  title: "State of a task",
  description: "Says whether a background task runs or how it ended: status, exit code, times, output file.",
  input: z.strictObject({
    id: z.string().min(1).describe("The task's id, a unique beginning of it, its name, or @last"),
  }),
  isReadOnly: true,
  call: async ({ id }, { runtime }) => taskView(await runtime.tasks.find(id)),
});
