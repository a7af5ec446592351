import fs from "node:fs/promises";
import { constants } from "node:fs";
import { windowBytesMax } from "./limits.ts";

/** The bytes of an output from one to before another. Ends early when the file has become shorter. */
export async function* readRange(
  file: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await fs.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let at = from; at < to;) {
      const bytes = Buffer.allocUnsafe(Math.min(windowBytesMax, to - at));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
