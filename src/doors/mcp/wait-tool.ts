import { z } from "zod";
import { mcpWaitMsMax } from "./limits.ts";
import { defineTool, readerOf, type Tool } from "./tool.ts";

export const waitTool: Tool = defineTool({
  name: "wait",
  title: "Wait for a task",
  description:
    "Waits until a background task has ended, for less than a minute, and returns its ending with its output. timedOut true: it still runs; wait again or continue with other work.",
  input: z.strictObject({
    id: z.string().min(1).describe("The task's id, a unique beginning of it, its name, or @last"),
    timeoutMs: z
      .number()
      .min(0)
      .max(mcpWaitMsMax)
      .optional()
      .describe(`At most ${mcpWaitMsMax}, which is the default`),
  }),
  isReadOnly: true,
  async call({ id, timeoutMs = mcpWaitMsMax }, context) {
    const { tasks } = context.runtime;
    const task = await tasks.find(id);
    const output = await tasks.output(task, {
      block: true,
      timeoutMs,
      ...readerOf(context),
      signal: context.signal,
      whenDelivered: context.whenDelivered,
    });
    return { timedOut: output.retrieval_status === "timeout", ...output };
  },
});
