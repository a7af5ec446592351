import { z } from "zod";
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
    const { tasks } = context.runtime;
    const task = await tasks.find(id);
    const { signal, whenDelivered } = context;
    const reader = { ...readerOf(context), whenDelivered };
    if (onlyNew) return tasks.newOutput(task, { ...reader, reader: reader.by, filter });
    return tasks.output(task, { ...reader, block: false, filter, signal });
  },
});
