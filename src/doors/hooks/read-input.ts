import fs from "node:fs";
import { hookInputBytesMax, hookInputWaitMs } from "./limits.ts";

/**
 * Reads standard input to its end. Input over the limit is read and thrown away (a writer that is not read from would
 * fail), and input that is not whole in time is given up: both throw. On a machine that hangs a writer may have written
 * everything and not have closed it.
 */
export async function readInput(): Promise<string> {
  const input = new BoundedInput();
  const fd = openWithoutWaiting();
  if (fd === undefined) await readStream(input);
  else readPolling(fd, input);
  return input.text();
}

class BoundedInput {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= hookInputBytesMax) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  isWhole(): boolean {
    try {
      JSON.parse(this.text());
      return true;
    } catch {
      return false;
    }
  }

  text(): string {
    if (this.#size > hookInputBytesMax)
      throw new RangeError(
        `Cannot read the hook's input: ${this.#size} bytes are more than ${hookInputBytesMax}`,
      );
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

const PIECE_BYTES = 64 * 1024;

// A pipe that is opened a second time need not be waited for; process.stdin would cost 7 ms more than that. What cannot be
// opened so (a socket, a system without /proc) is read as a stream.
function openWithoutWaiting(): number | undefined {
  try {
    return fs.openSync("/proc/self/fd/0", fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function readPolling(fd: number, input: BoundedInput): void {
  const giveUpAt = performance.now() + hookInputWaitMs;
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const got = readNow(fd, piece);
      if (got === 0) return;
      if (got !== undefined) input.add(piece.subarray(0, got));
      else if (performance.now() > giveUpAt) return checkWhole(input);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** How many bytes were there; 0 at the end, undefined when none are there yet. */
function readNow(fd: number, piece: Buffer): number | undefined {
  try {
    return fs.readSync(fd, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}

async function readStream(input: BoundedInput): Promise<void> {
  const { stdin } = process;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, hookInputWaitMs);
    stdin.on("data", (chunk: Buffer) => input.add(chunk));
    stdin.on("error", reject);
    stdin.on("end", () => {
      clearTimeout(timer);
      resolve();
    });
  }).finally(() => stdin.destroy());
  if (!stdin.readableEnded) checkWhole(input);
}

function checkWhole(input: BoundedInput): void {
  if (!input.isWhole())
    throw new RangeError(`Cannot read the hook's input: it did not end within ${hookInputWaitMs} ms`);
}
