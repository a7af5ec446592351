import { defineCommand, type Command } from "../command.ts";
import { runningTaskArgument } from "../tasks/task-argument.ts";

export const command: Command = defineCommand({
  arguments: [runningTaskArgument, { name: "text", text: "what to send; Enter is added", kind: "text" }],
  examples: [
    { line: "holdfast send @last yes", text: "answer a question" },
    {
      line: "holdfast send repl 'print(1)'",
      text: "a line for a program that was started with --stdin or --tty",
    },
    { line: "holdfast send b3kd q --no-newline", text: "a single key" },
  ],
  options: [{ flags: "--no-newline", text: "without Enter at the end" }],
  async run(context, { arguments: [id = "", text = ""], options }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const { record } = task;
    const enter = !options.newline || record.agent ? "" : record.shell.tty ? "\r" : "\n";
    await tasks.send(task, `${text}${enter}`);
    if (context.isJson) await context.writeJson({ id: record.id, bytes: Buffer.byteLength(text + enter) });
  },
});
