import { continuationBytes } from "../../lib/whole-characters.ts";

/** The last bytes of an output, cut between characters. */
export class OutputTail {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joined only now and then, so that a command that prints byte by byte costs no copy each.
    if (this.#bytes > 2 * this.#bytesMax) this.#cut();
  }

  read(): { text: string; isCut: boolean } {
    this.#cut();
    return { text: this.#chunks[0]?.toString("utf8") ?? "", isCut: this.#isCut };
  }

  #cut(): void {
    const whole = Buffer.concat(this.#chunks);
    let from = Math.max(0, whole.length - this.#bytesMax);
    if (from > 0) this.#isCut = true;
    // What was cut may end inside a character, now or at an earlier cut.
    if (this.#isCut) from += continuationBytes(whole.subarray(from));
    // Copied, so that the large piece it is a part of can go.
    const kept = from === 0 ? whole : Buffer.from(whole.subarray(from));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }
}
