// Holdfast's writer, durable, some lines in every turn of the event loop: append-holdfast-sync.mjs SOURCE COUNT OUT_DIR
// The work is done when the last line is on the disk.
import { appendInTurns } from "./append-in-turns.mjs";
import { measureAppend } from "./append-lines.mjs";
import { openLineWriter } from "./line-writer.mjs";

await measureAppend((file) => openLineWriter(file, { durability: "sync", appendAll: appendInTurns }), {
  withNewlines: false,
});
