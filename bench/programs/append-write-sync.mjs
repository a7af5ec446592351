// The least that appending can take, every line awaited and nothing looked at: append-write-sync.mjs SOURCE COUNT OUT_DIR
import fs from "node:fs";
import { measureAppend } from "./append-lines.mjs";

await measureAppend(
  (file) => {
    const descriptor = fs.openSync(file, "a");
    return {
      async append(lines) {
        // Awaited, as every line of the other side is.
        // oxlint-disable-next-line typescript/await-thenable
        for (const line of lines) await fs.writeSync(descriptor, line);
      },
      close: () => fs.closeSync(descriptor),
    };
  },
  { withNewlines: true },
);
