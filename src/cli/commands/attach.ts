import { connectPty } from "../../tasks/kinds/bash/pty-connection.ts";
import { readTail } from "../../tasks/output/read-output.ts";
import { isEnded } from "../../tasks/task-state.ts";
import type { Command } from "../command.ts";
import { cliError } from "../errors.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { taskArgument } from "../tasks/task-argument.ts";

const DETACH = 0x1d; // Ctrl+]
const SCREEN_BYTES = 8192;

export const attach: Command = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast attach @last", text: "sit at the terminal of a task that was started with --tty" },
    {
      line: "holdfast run --tty --name top top && holdfast attach top",
      text: "start a screen program and look at it",
    },
    { line: "Ctrl+]", text: "leave it running" },
  ],
  options: [],
  async run(context, { arguments: [id = ""] }) {
    const tasks = await context.openTasks();
    const task = tasks.find(id);
    const { record, files, state } = task;
    if (!record.shell.tty) {
      throw cliError(
        "usage",
        `Cannot attach to task "${record.id}": it has no terminal; follow it with holdfast logs ${record.id} -f`,
      );
    }
    if (isEnded(state)) throw cliError("usage", `Cannot attach to task "${record.id}": it has ended`);
    if (!context.environment.stdout.isTerminal || !process.stdin.isTTY) {
      throw cliError("usage", "Cannot attach: this is no terminal");
    }
    const connection = await connectPty(files.base);
    const { socket } = connection;
    const resize = (): void => {
      const { columns, rows } = process.stdout;
      void connection.send({ resize: { columns, rows } });
    };
    context.say(`Attached to ${record.id}. Leave it running with Ctrl+].`);
    process.stdout.write(readTail(files.output, { bytesMax: SCREEN_BYTES }).text);
    process.stdin.setRawMode(true);
    process.stdout.on("resize", resize);
    resize();
    const isDetached = await new Promise<boolean>((resolve) => {
      socket.on("data", (data: Buffer) => process.stdout.write(data));
      socket.on("close", () => resolve(false));
      process.stdin.on("data", (data: Buffer) => {
        if (data.includes(DETACH)) resolve(true);
        else void connection.send({ input: data.toString("utf8") });
      });
    });
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stdout.off("resize", resize);
    connection.close();
    socket.destroy();
    if (isDetached) return context.say(`\nLeft ${record.id} running.`);
    const ended = await tasks.wait(task, { timeoutMs: 5000 });
    return ended && exitCodeOfEnding(ended);
  },
};
