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
    const head = this.#head.subarray(0, wholeCharactersEnd(this.#head));
    const end = tail.subarray(firstCharacterStart(tail));
    const cut = this.#totalBytes - head.length - end.length;
    return `${head.toString("utf8")}\n[output truncated: ${cut} bytes]\n${end.toString("utf8")}`;
  }

  #lastBytes(): Buffer {
    const all = Buffer.concat(this.#tail);
    return all.subarray(Math.max(0, all.length - this.#halfBytes));
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

// A character has at most four bytes, so at most three continue one.
function firstCharacterStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

function wholeCharactersEnd(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length <= bytes.length ? bytes.length : start;
}
