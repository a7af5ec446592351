import { z } from "zod";
import { describeTask } from "./describe-task.ts";
import type { Tool } from "./tool.ts";

export const listTool: Tool<{ ended?: boolean; allProjects?: boolean; limit?: number }> = {
  name: "list",
  title: "List background tasks",
  description: "Lists the background tasks that run, and with ended those that ended, newest first.",
  input: z.strictObject({
    ended: z.boolean().optional().describe("Ended tasks too"),
    allProjects: z.boolean().optional().describe("Of every project, not only this one"),
    limit: z.number().int().min(1).max(200).optional().describe("Newest first; 50 unless said otherwise"),
  }),
  isReadOnly: true,
  async call({ ended = false, allProjects = false, limit = 50 }, { runtime, cwd }) {
    const tasks = await runtime.tasks.list({ all: ended, cwd: allProjects ? undefined : cwd });
    return { tasks: tasks.slice(0, limit).map(describeTask), total: tasks.length };
  },
};
