import { answerFormBytesMax } from "../format/limits.ts";
import { scanBufferBytes } from "../lib/line-scanner.ts";
import { openWasm, type Wasm } from "../lib/open-wasm.ts";
import { END_ADDRESS, LOOKAHEAD_BYTES, matchFormProgram, NODE_BYTES } from "./match-form-program.ts";

/**
 * Memory of WebAssembly for forms of lines, and for lines that are compared with them: only those that stand in `bytes`
 * can be.
 */
export class FormMemory {
  /** A buffer for scanning. */
  readonly bytes: Buffer;
  /** Its address. */
  readonly bytesStart: number = FORMS_END;
  readonly view: DataView<ArrayBuffer>;
  readonly #match: Wasm["run"];
  #free = FORMS_START;

  private constructor({ buffer, run }: Wasm) {
    this.bytes = Buffer.from(buffer, this.bytesStart, scanBufferBytes);
    this.view = new DataView(buffer);
    this.#match = run;
  }

  /** Undefined where there is no WebAssembly. */
  static open(): FormMemory | undefined {
    const wasm = openWasm(matchFormProgram, FORMS_END + scanBufferBytes + LOOKAHEAD_BYTES);
    return wasm && new FormMemory(wasm);
  }

  /** Compares a part of `bytes` with the nodes from an address on: the leaf that it comes to, or 0 (matchFormProgram). */
  match(node: number, start: number, end: number): number {
    return this.#match(node, this.bytesStart + start, this.bytesStart + end);
  }

  /** In `bytes`, the place behind what matched last. */
  get end(): number {
    return this.view.getInt32(END_ADDRESS, true) - this.bytesStart;
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
// What follows is read into, and on some processors a large read into the very start of a page is several times slower.
const FORMS_START = 64;
const FORMS_END: number = (1 << 19) + 64;
// A byte and a digit for each node of a head and of a tail.
const FORM_BYTES_MAX: number = answerFormBytesMax * (NODE_BYTES + ALIGNMENT_BYTES);
