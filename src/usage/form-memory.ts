import { answerFormBytesMax } from "../format/limits.ts";
import { openWasm, type Wasm } from "../lib/open-wasm.ts";
import { NODE_BYTES } from "./match-form-program.ts";
import { TABLE_END } from "./scan-layout.ts";
import { HEAD_BYTES, LOOKAHEAD_BYTES, scanLinesProgram, TAIL_BYTES } from "./scan-lines-program.ts";

/**
 * Memory of WebAssembly for the rows of messages (scan-layout.ts), for forms of lines, and for lines that are compared with
 * these: only those that stand in `bytes` can be.
 */
export class FormMemory {
  /** A buffer for scanning. */
  readonly bytes: Buffer;
  readonly view: DataView<ArrayBuffer>;
  readonly #scan: Wasm["run"];
  #free = TABLE_END;

  private constructor({ buffer, run }: Wasm) {
    this.bytes = Buffer.from(buffer, FORMS_END, BUFFER_BYTES);
    this.view = new DataView(buffer);
    this.#scan = run;
  }

  /** Undefined where there is no WebAssembly. */
  static open(): FormMemory | undefined {
    const wasm = openWasm(scanLinesProgram, FORMS_END + BUFFER_BYTES + LOOKAHEAD_BYTES);
    return wasm && new FormMemory(wasm);
  }

  /** Goes through whole lines in `bytes`, with the heads at an address (scanLinesProgram): where it stopped. */
  scan(heads: number, start: number, end: number): number {
    return this.#scan(FORMS_END + start, FORMS_END + end, heads) - FORMS_END;
  }

  /** The address of room for numbers or bytes. */
  take(byteLength: number): number {
    const address = this.#free;
    this.#free += Math.ceil(byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    if (this.#free + LOOKAHEAD_BYTES > FORMS_END) throw new RangeError("the memory for forms is full");
    return address;
  }

  /** Gives back what was taken from this address on. */
  giveBack(address: number): void {
    this.#free = address;
  }

  /** Whether there is not enough room for any other form. */
  get isFull(): boolean {
    return this.#free + FORM_BYTES_MAX > FORMS_END;
  }
}

const ALIGNMENT_BYTES = 8;
// A line that is longer needs a buffer of its own, and is skimmed.
const BUFFER_BYTES: number = 1 << 21;
// What follows is read into, and on some processors a large read into the very start of a page is several times slower.
const FORMS_END: number = TABLE_END + (1 << 19);
// A byte and a digit for each node of a head and of a tail.
const FORM_BYTES_MAX: number = HEAD_BYTES + TAIL_BYTES + answerFormBytesMax * (NODE_BYTES + ALIGNMENT_BYTES);
