import { codeOf, HoldfastError, messageOf } from "../../../lib/errors.ts";
import type { AttachedTerminal, Task } from "../../../index.ts";
import { isEnded, type Tasks } from "../../../runtime/index.ts";
import type { Command } from "../command.ts";
import { cliError } from "../errors.ts";
import { attachTerminal } from "../tasks/attach-terminal.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText } from "../tasks/status-text.ts";
import { runningTaskArgument } from "../tasks/task-argument.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

/** After the program is gone its supervisor writes the ending, unless something that it started lives on. */
const ENDING_MS = 2000;

export const command: Command = {
  arguments: [runningTaskArgument],
  examples: [
    { line: "holdfast attach @last", text: "connect to the terminal of a task that was started with --tty" },
    {
      line: "holdfast run --tty --name top top && holdfast attach top",
      text: "start a full-screen program and look at it",
    },
    { line: "Ctrl+]", text: "leave it running" },
  ],
  async run(context, { arguments: [id = ""] }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const { record, state } = task;
    const isTerminal = context.environment.stdout.isTerminal && process.stdin.isTTY;
    if (!isTerminal && record.shell.tty && state.status === "running")
      throw cliError("usage", "Cannot attach: this is not a terminal");
    const terminal = await attach(tasks, task);
    context.say(`Attached to ${record.id}. Ctrl+] detaches and leaves it running.`);
    const how = await attachTerminal(terminal);
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
      context.say(
        `The program has ended; processes that it started still run: pid ${survivors.pids.join(", ")}`,
      );
    return survivors?.exitCode;
  },
};

// What else can be done with it is said in the words of this door.
async function attach(tasks: Tasks, task: Task): Promise<AttachedTerminal> {
  try {
    return await tasks.attach(task);
  } catch (error) {
    const { id, shell } = task.record;
    const hint = !shell.tty
      ? `; follow it with holdfast logs ${id} -f`
      : isEnded((await tasks.refresh(task)).state)
        ? `; read it with holdfast logs ${id}`
        : "";
    if (codeOf(error) !== "no_stdin" || hint === "") throw error;
    throw new HoldfastError(`${messageOf(error)}${hint}`, { code: "no_stdin", cause: error });
  }
}
