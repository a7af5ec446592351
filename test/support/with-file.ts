import fs from "node:fs";
import path from "node:path";
import { tempDir } from "./temp-dir.ts";

/** What `use` makes of an open file with this content. */
export function withFile<T>(content: string | Buffer, use: (fd: number, file: string) => T): T {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, content);
  const fd = fs.openSync(file, "r");
  try {
    return use(fd, file);
  } finally {
    fs.closeSync(fd);
  }
}
