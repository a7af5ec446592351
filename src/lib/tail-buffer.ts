import { readBytes, scanBuffer } from "./line-scanner.ts";

/** Four times as much is read each time, but no more than this: a line seldom begins where a step does. */
const STEP_BYTES_MAX = 1 << 17;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/**
 * The last bytes of one file after the other. It is filled from its end, so that what more is read of a file stands
 * before what is there, and nothing is read twice. What it returns is valid until the next call.
 */
export class TailBuffer {
  readonly #kept: Buffer;
  #buffer: Buffer;
  #fd = -1;
  #size = 0;
  #have = 0;
  #isWhole = false;

  /** A larger one than `kept` is made for the file that needs it. Of its memory, only what is filled is used. */
  constructor(kept: Buffer) {
    this.#kept = this.#buffer = kept;
  }

  /** The last `length` bytes of a file of `size` bytes; fewer where it has become shorter. */
  read(fd: number, { size, length }: { size: number; length: number }): Buffer {
    this.#buffer = this.#kept;
    this.#fd = fd;
    this.#size = size;
    this.#have = 0;
    return this.#readBefore(Math.min(length, size));
  }

  /**
   * What was read, and before it the beginning of its first line. Nothing when that takes more than `bytesMax`, or when
   * the file has become shorter.
   */
  readFromLineStart({ bytesMax }: { bytesMax: number }): Buffer {
    while (this.#isWhole) {
      const before = this.#size - this.#have;
      if (before === 0) return this.#buffer.subarray(this.#buffer.length - this.#have);
      if (this.#have >= bytesMax) break;
      const length = Math.min(3 * this.#have, before, bytesMax - this.#have, STEP_BYTES_MAX);
      const newline = this.#readBefore(length).lastIndexOf(NEWLINE);
      if (newline >= 0) return this.#buffer.subarray(this.#buffer.length - this.#have + newline + 1);
    }
    return NOTHING;
  }

  // Only these bytes.
  #readBefore(length: number): Buffer {
    if (this.#have + length > this.#buffer.length) this.#grow(this.#have + length);
    const end = this.#buffer.length - this.#have;
    this.#have += length;
    const into = this.#buffer.subarray(end - length, end);
    const bytes = readBytes(this.#fd, { offset: this.#size - this.#have, length, into });
    this.#isWhole = bytes.length === length;
    return bytes;
  }

  #grow(bytes: number): void {
    const larger = scanBuffer(2 * bytes);
    this.#buffer.copy(larger, larger.length - this.#have, this.#buffer.length - this.#have);
    this.#buffer = larger;
  }
}
