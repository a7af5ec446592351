// Holdfast's writer, every line awaited before the next: append-holdfast.mjs SOURCE COUNT OUT_DIR
import { measureAppend } from "./append-lines.mjs";
import { openLineWriter } from "./line-writer.mjs";

await measureAppend((file) => openLineWriter(file, { durability: "flush" }), { withNewlines: false });
