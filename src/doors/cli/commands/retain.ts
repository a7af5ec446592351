import { defineCommand, type Command } from "../command.ts";
import { taskArgument } from "../tasks/task-argument.ts";

export const command: Command = defineCommand({
  arguments: [taskArgument],
  examples: [
    { line: "holdfast retain build", text: "keep it, whatever its age and size, until rm removes it" },
    { line: "holdfast retain @last", text: "the newest task" },
    { line: "holdfast retain build --undo", text: "let it be pruned like others" },
  ],
  options: [{ flags: "--undo", text: "let it be pruned like others" }],
  async run(context, { arguments: [id = ""], options }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const isRetained = !options.undo;
    await tasks.retain(task, { isRetained });
    if (context.isJson) return context.writeJson({ id: task.record.id, isRetained });
    context.say(
      isRetained
        ? `Task ${task.record.id} is kept until it is removed: holdfast rm ${task.record.id}`
        : `Task ${task.record.id} is pruned like others.`,
    );
  },
});
