import { taskError } from "../../../tasks/errors.ts";
import { connectWhenReady } from "../../../tasks/kinds/shell/connect-when-ready.ts";
import { isEnded } from "../../../tasks/record/task-state.ts";
import type { Command } from "../command.ts";
import { cliError } from "../errors.ts";
import { attachTerminal } from "../tasks/attach-terminal.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText, statusText } from "../tasks/status-text.ts";
import { taskArgument } from "../tasks/task-argument.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

/** After the program is gone its supervisor writes the ending, unless something that it started lives on. */
const ENDING_MS = 2000;

export const command: Command = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast attach @last", text: "sit at the terminal of a task that was started with --tty" },
    {
      line: "holdfast run --tty --name top top && holdfast attach top",
      text: "start a screen program and look at it",
    },
    { line: "Ctrl+]", text: "leave it running" },
  ],
  async run(context, { arguments: [id = ""] }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const { record, files, state } = task;
    const refuse = (why: string): Error =>
      taskError("no_stdin", `Cannot attach to task "${record.id}": ${why}`);
    if (!record.shell.tty) throw refuse(`it has no terminal; follow it with holdfast logs ${record.id} -f`);
    if (isEnded(state)) throw refuse(`it has ended; read it with holdfast logs ${record.id}`);
    if (state.status === "queued") throw refuse(`it has not started yet (${statusText(state)})`);
    if (!context.environment.stdout.isTerminal || !process.stdin.isTTY)
      throw cliError("usage", "Cannot attach: this is no terminal");
    const connection = await connectWhenReady(task);
    context.say(`Attached to ${record.id}. Leave it running with Ctrl+].`);
    const how = await attachTerminal(connection, { outputFile: files.output });
    if (how === "detached")
      return context.say(`Left ${record.id} running. Come back: holdfast attach ${record.id}`);
    const ended = await tasks.wait(task, { timeoutMs: ENDING_MS });
    if (ended) {
      tellEndings(context, tasks, [task]);
      context.say(`Task ${record.id} ${endingText(ended)}.`);
      return exitCodeOfEnding(ended);
    }
    const now = (await tasks.refresh(task)).state;
    const survivors = now.status === "running" ? now.survivors : undefined;
    if (survivors)
      context.say(`The program has ended; what it started runs on: pid ${survivors.pids.join(", ")}`);
    return survivors?.exitCode;
  },
};
