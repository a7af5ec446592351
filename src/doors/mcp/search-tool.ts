import { z } from "zod";
import { hitView } from "../../runtime/views/hit-view.ts";
import { defineTool, type Tool } from "./tool.ts";

export const searchTool: Tool = defineTool({
  name: "search",
  title: "Search sessions and tasks",
  description:
    "Full-text search over every conversation and background task, also over archived ones: who said it where, with a snippet. Secrets are blacked out.",
  input: z.strictObject({
    query: z.string().min(1).describe("Words that a message must hold; a phrase in double quotes"),
    allProjects: z.boolean().optional().describe("Of every project, not only this one"),
    limit: z.number().int().min(1).max(100).optional().describe("Best first; default 10"),
  }),
  isReadOnly: true,
  async call({ query, allProjects = false, limit = 10 }, { runtime, cwd, signal }) {
    const project = allProjects ? undefined : await runtime.sessions.projectOf(cwd);
    const { hits, total } = await runtime.search(query, { limit, signal, project });
    return { hits: hits.map(hitView), total };
  },
});
