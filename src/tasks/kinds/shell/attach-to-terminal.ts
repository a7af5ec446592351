import { taskError } from "../../errors.ts";
import { refreshed, type Task } from "../../record/task.ts";
import { isEnded } from "../../record/task-state.ts";
import { connectWhenReady } from "./connect-when-ready.ts";
import { printedSoFar } from "./printed-so-far.ts";
import type { PtyMessage } from "./pty-connection.ts";

/** A connection to the terminal of a task. Several may be open at the same time. */
export interface AttachedTerminal {
  /** What the program printed before: of a long output, its beginning and its end. */
  readonly printed: string;
  /** Yields what it prints from now on, until the program ends or the terminal is left. Call it once. */
  listen(onOutput: (bytes: Buffer) => void): Promise<void>;
  type(text: string): void;
  resize(size: { columns: number; rows: number }): void;
  /** Disconnects; the program keeps running. */
  close(): void;
}

/** Throws `no_stdin` when the task has no terminal, or none now. */
export async function attachToTerminal(task: Task): Promise<AttachedTerminal> {
  const refuse = (why: string): Error =>
    taskError("no_stdin", `Cannot attach to task "${task.record.id}": ${why}`);
  if (!task.record.shell.tty) throw refuse("it has no terminal");
  const { state } = refreshed(task);
  if (isEnded(state)) throw refuse("it has ended");
  if (state.status === "queued") throw refuse(`it has not started yet (queued #${state.place})`);
  const connection = await connectWhenReady(task);
  const { socket } = connection;
  // A connection that breaks is told by its close, and what cannot be sent any more needs no answer.
  socket.on("error", () => {});
  const send = (message: PtyMessage): void => void connection.send(message).catch(() => {});
  send({ attach: true });
  const printed = await printedSoFar(socket, task.files.output);
  return {
    printed: printed ?? "",
    listen: (onOutput) =>
      new Promise((resolve) => {
        if (socket.destroyed || printed === undefined) return resolve();
        socket.on("data", onOutput).on("close", () => resolve());
      }),
    type: (text) => send({ input: text }),
    resize: (size) => send({ resize: size }),
    close() {
      connection.close();
      socket.destroy();
    },
  };
}
