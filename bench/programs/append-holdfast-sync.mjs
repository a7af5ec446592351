// Holdfast's writer, durable: append-holdfast-sync.mjs SOURCE COUNT OUT_DIR
// Lines arrive as they do in a busy harness: some in every turn of the event loop, none of them waiting for the
// disk. The work is done when the last line is on it.
import { setImmediate } from "node:timers/promises";
import { measureAppend } from "./append-lines.mjs";
import { openLineWriter } from "./line-writer.mjs";

const LINES_A_TURN = 16;

async function appendAll(writer, lines) {
  const acknowledged = [];
  for (const [index, line] of lines.entries()) {
    acknowledged.push(writer.appendLine(line));
    if (index % LINES_A_TURN === LINES_A_TURN - 1) await setImmediate();
  }
  await Promise.all(acknowledged);
}

await measureAppend((file) => openLineWriter(file, { durability: "sync", appendAll }), {
  withNewlines: false,
});
