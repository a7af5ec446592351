import { setTimeout } from "node:timers/promises";
import { terminalHostStartMs } from "./limits.ts";
import { refreshed, type Task } from "../../record/task.ts";
import { isEnded } from "../../record/task-state.ts";
import { connectPty, type PtyConnection } from "./pty-connection.ts";

const POLL_MS = 10;

/** Connects to a terminal that may just be opened: its host takes its time to start, and until then nobody listens. */
export async function connectWhenReady(task: Task): Promise<PtyConnection> {
  const giveUpAt = performance.now() + terminalHostStartMs;
  for (;;) {
    try {
      return await connectPty(task.files.base);
    } catch (error) {
      if (performance.now() > giveUpAt || isEnded(refreshed(task).state)) throw error;
      await setTimeout(POLL_MS);
    }
  }
}
