import { z } from "zod";
import { codeOf } from "../../lib/errors.ts";
import { defineTool, readerOf, type Tool } from "./tool.ts";

export const outputTool: Tool = defineTool({
  name: "output",
  title: "Output of a task",
  description:
    "Reads the output of a background task without waiting: its beginning and its end when it is long, an agent's final answer. Reading an ended task counts as being notified.",
  input: z.strictObject({
    id: z.string().min(1).describe("The task's id, a unique beginning of it, its name, or @last"),
    filter: z.string().optional().describe("Only lines that match this regular expression"),
    onlyNew: z.boolean().optional().describe("Only what came since this session read it last"),
  }),
  isReadOnly: true,
  async call({ id, filter, onlyNew = false }, context) {
    const { tasks, agents } = context.runtime;
    const task = await tasks.find(id).catch(async (error: unknown) => {
      const agent = codeOf(error) === "task_not_found" ? await agents.ofClient(id) : undefined;
      if (agent) return agent;
      throw error;
    });
    if ("output" in task) return task.output;
    const { signal, whenDelivered } = context;
    const reader = { ...readerOf(context), whenDelivered };
    if (onlyNew) return tasks.newOutput(task, { ...reader, reader: reader.by, filter });
    return tasks.output(task, { ...reader, block: false, filter, signal });
  },
});
