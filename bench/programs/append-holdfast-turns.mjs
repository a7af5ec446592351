// Holdfast's writer, some lines in every turn of the event loop: append-holdfast-turns.mjs SOURCE COUNT OUT_DIR
import { appendInTurns } from "./append-in-turns.mjs";
import { measureAppend } from "./append-lines.mjs";
import { openLineWriter } from "./line-writer.mjs";

await measureAppend((file) => openLineWriter(file, { durability: "flush", appendAll: appendInTurns }), {
  withNewlines: false,
});
