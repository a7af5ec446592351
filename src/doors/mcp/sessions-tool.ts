import { z } from "zod";
import { sessionView } from "../../runtime/views/session-view.ts";
import { defineTool, type Tool } from "./tool.ts";

export const sessionsTool: Tool = defineTool({
  name: "sessions",
  title: "List sessions",
  description: "Lists conversations with their titles, first prompts and times, newest first.",
  input: z.strictObject({
    allProjects: z.boolean().optional().describe("Of every project, not only this one"),
    limit: z.number().int().min(1).max(200).optional().describe("Newest first; default 20"),
  }),
  isReadOnly: true,
  async call({ allProjects = false, limit = 20 }, { runtime, cwd }) {
    const project = allProjects ? undefined : await runtime.sessions.projectOf(cwd);
    const sessions = await runtime.sessions.list({ limit, project });
    return { sessions: sessions.map(sessionView) };
  },
});
