import { continuationBytes, wholeCharacters } from "./whole-characters.ts";

/**
 * Keeps the first and the last bytes of a stream in bounded memory, however long it gets. The text is never cut inside
 * a character, and says how many bytes it leaves out.
 */
export class HeadTailBuffer {
  readonly #halfBytes: number;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  constructor({ bytesMax }: { bytesMax: number }) {
    this.#halfBytes = Math.floor(bytesMax / 2);
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const room = this.#halfBytes - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Some times its size before it is cut back, so that many small chunks cost little each.
    if (this.#tailBytes <= this.#halfBytes * 4) return;
    this.#tail = [this.#lastBytes()];
    this.#tailBytes = this.#halfBytes;
  }

  toString(): string {
    const tail = this.#lastBytes();
    if (this.#head.length + tail.length === this.#totalBytes)
      return Buffer.concat([this.#head, tail]).toString("utf8");
    const head = this.#head.subarray(0, wholeCharacters(this.#head));
    const end = tail.subarray(continuationBytes(tail));
    const cut = this.#totalBytes - head.length - end.length;
    return `${head.toString("utf8")}\n[output truncated: ${cut} bytes]\n${end.toString("utf8")}`;
  }

  #lastBytes(): Buffer {
    const all = Buffer.concat(this.#tail);
    return all.subarray(Math.max(0, all.length - this.#halfBytes));
  }
}
