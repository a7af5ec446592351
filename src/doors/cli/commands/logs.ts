import type { OutputStream, Task } from "../../../index.ts";
import type { Tasks } from "../../../runtime/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { parseCount, parseSince } from "../option-values.ts";
import { firstByteSince } from "../tasks/first-byte-since.ts";
import { refuseTimes, showOutput, type ShowOutputOptions } from "../tasks/show-output.ts";
import { showClientAgent } from "../tasks/show-client-agent.ts";
import { readableArgument } from "../tasks/task-argument.ts";
import { findTaskOrAgent } from "../tasks/task-or-agent.ts";

/** JSON holds a stream in one piece; of a larger one, its head and tail with a mark in between. */
const JSON_BYTES = 4 * 1024 * 1024;

export const command: Command<ShowOutputOptions> = {
  arguments: [{ ...readableArgument, pick: "task" }],
  examples: [
    { line: "holdfast logs @last -f", text: "follow the newest task until it ends" },
    { line: "holdfast logs build --tail 20", text: "its last 20 lines" },
    { line: "holdfast logs b3kd --stderr", text: "only what it wrote to stderr" },
  ],
  options: [
    { flags: "-f, --follow", text: "follow until the task ends", conflicts: ["json"] },
    { flags: "-n, --tail <n>", text: "only the last n lines", parse: parseCount },
    { flags: "--stderr", text: "only stderr" },
    {
      flags: "-t, --timestamps",
      text: "with times: of an agent's messages, and of each line of a command that arrives while you follow",
      conflicts: ["json", "tail"],
    },
    {
      flags: "--since <when>",
      text: "only since this day, moment or age (90m, 2d); of a command, if it has written nothing before that, or nothing since",
      parse: parseSince,
    },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const runtime = await context.runtime();
    const { tasks } = runtime;
    const found = await findTaskOrAgent(runtime, id);
    if (found.kind === "agent") return showClientAgent(context, found.agent, options);
    const { task } = found;
    if (!task.record.agent) {
      refuseTimes(task.record.id, options);
      if (context.isJson) return writeStreams(context, tasks, { task, options });
    }
    return showOutput(context, tasks, { task, options });
  },
};

async function writeStreams(
  { writeJson }: CommandContext,
  tasks: Tasks,
  { task, options: { tail, since } }: { task: Task; options: ShowOutputOptions },
): Promise<void> {
  const { record } = task;
  const { outputs } = await tasks.inspect(task);
  const read = async (stream: OutputStream): Promise<string> => {
    const facts = outputs[stream];
    if (since && facts && firstByteSince(task, facts, since) > 0) return "";
    return (await tasks.read(task, { stream, bytesMax: JSON_BYTES, lastLines: tail })).text;
  };
  return writeJson({
    id: record.id,
    stdout: await read("stdout"),
    stderr: record.shell.merged ? "" : await read("stderr"),
  });
}
