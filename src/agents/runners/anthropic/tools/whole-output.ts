import type { KeptOutput } from "../../../../tasks/ports.ts";
import { heldLineBytesMax } from "./limits.ts";

export type OutputStream = "stdout" | "stderr";

/**
 * Keeps all that a command prints: in memory as long as it is no more than the result can hold, then in a file. Lines of both
 * streams stand there in the order in which they came.
 */
export class WholeOutput {
  readonly #resultBytesMax: number;
  readonly #open: () => KeptOutput;
  #lines: Buffer[] = [];
  readonly #begun: Record<OutputStream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  #bytes = 0;
  #kept: KeptOutput | undefined;
  #isClosed = false;

  constructor(open: () => KeptOutput, { resultBytesMax }: { resultBytesMax: number }) {
    this.#open = open;
    this.#resultBytesMax = resultBytesMax;
  }

  /** What comes after it was closed, from what the command left running, is passed over. */
  add(chunk: Buffer, stream: OutputStream): void {
    if (this.#isClosed) return;
    this.#bytes += chunk.length;
    const begun = Buffer.concat([this.#begun[stream], chunk]);
    const whole = begun.length > heldLineBytesMax ? begun.length : begun.lastIndexOf(NEWLINE) + 1;
    this.#begun[stream] = begun.subarray(whole);
    this.#lines.push(begun.subarray(0, whole));
    if (this.#kept || this.#bytes > this.#resultBytesMax) this.#write();
  }

  /** Where all of it is, if the result does not say all of it; undefined when it could not be kept. */
  close({ isCut }: { isCut: boolean }): ReturnType<KeptOutput["close"]> {
    this.#isClosed = true;
    this.#lines.push(this.#begun.stdout, this.#begun.stderr);
    if (isCut || this.#kept) this.#write();
    return this.#kept?.close();
  }

  #write(): void {
    this.#kept ??= this.#open();
    this.#kept.write(Buffer.concat(this.#lines));
    this.#lines = [];
  }
}

const NEWLINE = 10;
