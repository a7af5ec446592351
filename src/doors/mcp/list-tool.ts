import { taskView } from "../../runtime/views/task-view.ts";
import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const listTool: Tool = defineTool({
  name: "list",
  title: "List background tasks",
  description: "Lists the background tasks that run, and with ended those that ended, newest first.",
  input: z.strictObject({
    ended: z.boolean().optional().describe("Ended tasks too"),
    allProjects: z.boolean().optional().describe("Of every project, not only this one"),
    limit: z.number().int().min(1).max(200).optional().describe("Newest first; default 50"),
  }),
  isReadOnly: true,
  async call({ ended = false, allProjects = false, limit = 50 }, { runtime, cwd }) {
    const wanted = { all: ended, cwd: allProjects ? undefined : cwd };
    const tasks = await runtime.tasks.list({ ...wanted, limit });
    // There are more only behind a full list. To count them, no file of an ended task is opened.
    const total = tasks.length < limit ? tasks.length : (await runtime.tasks.overview(wanted)).length;
    return { tasks: tasks.map(taskView), total };
  },
});
