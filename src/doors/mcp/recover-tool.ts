import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const recoverTool: Tool = defineTool({
  name: "recover",
  title: "What runs, what finished unseen, what was lost",
  description:
    "The true state of background work of this project, of Holdfast and of the client itself, also after a crash, a restart or a compaction: running, finishedUnseen with results, lost, duplicates; each with how it is known.",
  input: z.strictObject({
    allProjects: z.boolean().optional().describe("Of every project, not only this one"),
  }),
  isReadOnly: true,
  async call({ allProjects = false }, { runtime, cwd, sessionId }) {
    const { running, finishedUnseen, lost, duplicates } = await runtime.recover({
      cwd: allProjects ? undefined : cwd,
      sessionId,
    });
    return { running, finishedUnseen, lost, duplicates };
  },
});
