import {
  findMembersProgram,
  KEY_BYTES,
  KEY_LENGTH_MAX,
  KeyField,
  LOOKAHEAD_BYTES,
} from "./find-members-program.ts";
import { OPEN_BRACE } from "./json-bytes.ts";
import { openWasm, type Wasm } from "./open-wasm.ts";

/** Memory, and for each set of keys who finds them in the objects that lie there. */
export interface MemberMemory {
  bytes: Buffer;
  finders: MemberFinder[];
}

// On some processors a large read into the very start of an allocation is several times slower.
const KEYS_ADDRESS = 64;

/** Undefined where WebAssembly is not to be had. */
export function openMemberMemory(
  byteLength: number,
  keySets: readonly (readonly string[])[],
): MemberMemory | undefined {
  // Each set has room for one key more, which stands for all others.
  const tableBytes = keySets.reduce((sum, keys) => sum + (keys.length + 1) * KEY_BYTES, 0);
  const start = KEYS_ADDRESS + tableBytes;
  const wasm = openWasm(findMembersProgram, start + byteLength + LOOKAHEAD_BYTES);
  if (wasm === undefined) return undefined;
  let address = KEYS_ADDRESS;
  const finders = keySets.map((keys) => {
    const finder = new MemberFinder(wasm, { address, keys });
    address += (keys.length + 1) * KEY_BYTES;
    return finder;
  });
  return { bytes: Buffer.from(wasm.buffer, start, byteLength), finders };
}

/**
 * Finds the members of JSON objects by their keys, without parsing: WebAssembly goes through strings sixteen bytes at a time,
 * and needs no warming up. It checks all of an object's structure, but neither escapes nor numbers. Of a key that occurs
 * twice the last one counts.
 */
export class MemberFinder {
  readonly #wasm: Wasm;
  readonly #places: Int32Array;
  readonly #keys: number;
  readonly #keysEnd: number;
  #base = 0;

  /** Its keys are written to `address`. */
  constructor(wasm: Wasm, { address, keys }: { address: number; keys: readonly string[] }) {
    this.#wasm = wasm;
    this.#places = new Int32Array(wasm.buffer);
    this.#keys = address;
    this.#keysEnd = address + keys.length * KEY_BYTES;
    const memory = new Uint8Array(wasm.buffer);
    for (const [index, key] of keys.entries()) writeKey(memory, address + index * KEY_BYTES, key);
  }

  /**
   * Whether [start, end) is one whole object. False also when `bytes` is no part of the memory, and of an object that is
   * nested too deeply.
   */
  find(bytes: Buffer, start: number, end: number): boolean {
    if (bytes.buffer !== this.#wasm.buffer || bytes[start] !== OPEN_BRACE) return false;
    const base = (this.#base = bytes.byteOffset);
    return this.#wasm.run(base + start, base + end, this.#keys, this.#keysEnd) === base + end;
  }

  /** Where the value of a key, named by its number, begins in the object that was found last; -1 when it has none. */
  startOf(key: number): number {
    const place = this.#places[(this.#keys + key * KEY_BYTES + KeyField.start) >> 2]!;
    return place === 0 ? -1 : place - this.#base;
  }

  /** And where it ends. */
  endOf(key: number): number {
    return this.#places[(this.#keys + key * KEY_BYTES + KeyField.end) >> 2]! - this.#base;
  }
}

// Byte by byte, because a process that has just started takes longer to load what Buffer has for it.
function writeKey(memory: Uint8Array, at: number, key: string): void {
  if (key.length > KEY_LENGTH_MAX) throw new RangeError(`Cannot look for key "${key}": it is too long`);
  for (let index = 0; index < key.length; index++) {
    memory[at + KeyField.bytes + index] = key.charCodeAt(index);
    memory[at + KeyField.mask + index] = 0xff;
  }
  memory[at + KeyField.length] = key.length;
}
