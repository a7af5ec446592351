// Holdfast's writer, durable: append-holdfast-sync.mjs SOURCE COUNT OUT_DIR
// Lines arrive as they do in a busy harness: some in every turn of the event loop, none of them waiting for the
// disk. The work is done when the last line is on it.
import path from "node:path";
import { setImmediate } from "node:timers/promises";
// The public writer takes entries and gives them an envelope; this is the part of it that takes lines.
import { openTranscriptWriter } from "../../dist/store/transcript-writer.js";
import { measureAppend } from "./append-lines.mjs";

const LINES_A_TURN = 16;

await measureAppend(
  (file) => {
    const leaseDir = path.join(path.dirname(file), "leases");
    const writer = openTranscriptWriter({ file, sessionId: "bench", leaseDir, durability: "sync" });
    return {
      async append(lines) {
        const acknowledged = [];
        for (const [index, line] of lines.entries()) {
          acknowledged.push(writer.appendLine(line));
          if (index % LINES_A_TURN === LINES_A_TURN - 1) await setImmediate();
        }
        await Promise.all(acknowledged);
      },
      close: () => writer.close(),
    };
  },
  { withNewlines: false },
);
