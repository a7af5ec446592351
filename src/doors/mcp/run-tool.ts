import { taskView } from "../../runtime/views/task-view.ts";
import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const runTool: Tool = defineTool({
  name: "run",
  title: "Run in the background",
  description:
    "Starts a shell command as a durable background task and returns its id at once. The task outlives this session; its output and its exit code are kept.",
  input: z.strictObject({
    command: z.string().min(1).describe("A line for the user's shell"),
    description: z.string().optional().describe("What it is for, in a few words"),
    cwd: z.string().optional().describe("Absolute folder to run it in; by default the project"),
    name: z.string().optional().describe("A name to find it by"),
    timeoutMs: z.number().positive().optional().describe("End it after this time"),
  }),
  isReadOnly: false,
  async call({ command, description, cwd, name, timeoutMs }, context) {
    const task = await context.runtime.tasks.start({
      command,
      cwd: cwd ?? context.cwd,
      description,
      name,
      timeoutMs,
      sessionId: context.sessionId,
      toolUseId: context.toolUseId,
    });
    context.whenDelivered(() => context.runtime.pruneDue());
    return taskView(task);
  },
});
