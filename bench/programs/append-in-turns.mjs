// How lines arrive in a busy harness: some in every turn of the event loop, none of them waiting for the one before.
import { setImmediate } from "node:timers/promises";

export const LINES_A_TURN = 16;

/** Done when every line is acknowledged. */
export async function appendInTurns(writer, lines) {
  const acknowledged = [];
  for (const [index, line] of lines.entries()) {
    acknowledged.push(writer.appendLine(line));
    if (index % LINES_A_TURN === LINES_A_TURN - 1) await setImmediate();
  }
  await Promise.all(acknowledged);
}
