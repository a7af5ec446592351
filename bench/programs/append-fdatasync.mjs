// A sync after every line, on an open descriptor: append-fdatasync.mjs SOURCE COUNT OUT_DIR
import fs from "node:fs";
import { measureAppend } from "./append-lines.mjs";

await measureAppend(
  (file) => {
    const descriptor = fs.openSync(file, "a", 0o600);
    return {
      append(lines) {
        for (const line of lines) {
          fs.writeSync(descriptor, line);
          fs.fdatasyncSync(descriptor);
        }
      },
      close: () => fs.closeSync(descriptor),
    };
  },
  { withNewlines: true },
);
