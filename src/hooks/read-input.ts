import { hookInputBytesMax, hookInputWaitMs } from "../format/limits.ts";

/**
 * Reads the client's input to its end. Input over the limit is read and thrown away (a writer that is not read from
 * would fail), and input that does not come in time is given up: both throw.
 */
export function readInput(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const fail = (why: string): void => reject(new RangeError(`Cannot read the hook's input: ${why}`));
    const timer = setTimeout(() => fail(`it did not end within ${hookInputWaitMs} ms`), hookInputWaitMs);
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= hookInputBytesMax) chunks.push(chunk);
      else chunks = [];
    });
    stream.on("end", () => {
      clearTimeout(timer);
      if (size > hookInputBytesMax) fail(`${size} bytes are more than ${hookInputBytesMax}`);
      else resolve(Buffer.concat(chunks).toString("utf8"));
    });
    stream.on("error", reject);
  });
}
