// Holdfast's writer, every line awaited before the next: append-holdfast.mjs SOURCE COUNT OUT_DIR
import path from "node:path";
// The public writer takes entries and gives them an envelope; this is the part of it that takes lines.
import { openTranscriptWriter } from "../../dist/store/transcript-writer.js";
import { measureAppend } from "./append-lines.mjs";

await measureAppend(
  (file) => {
    const leaseDir = path.join(path.dirname(file), "leases");
    const writer = openTranscriptWriter({ file, sessionId: "bench", leaseDir, durability: "flush" });
    return {
      async append(lines) {
        for (const line of lines) await writer.appendLine(line);
      },
      close: () => writer.close(),
    };
  },
  { withNewlines: false },
);
