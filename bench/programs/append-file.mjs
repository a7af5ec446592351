// What most harnesses do, every line awaited before the next: append-file.mjs SOURCE COUNT OUT_DIR
import fs from "node:fs/promises";
import { measureAppend } from "./append-lines.mjs";

await measureAppend(
  (file) => ({
    async append(lines) {
      for (const line of lines) await fs.appendFile(file, line);
    },
    close() {},
  }),
  { withNewlines: true },
);
