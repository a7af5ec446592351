/** A program of WebAssembly (wasm-code.ts) on memory of its own. */
export interface Wasm {
  buffer: ArrayBuffer;
  run: (...parameters: number[]) => number;
}

/** Undefined where WebAssembly is not to be had: under `node --jitless`, or where address space is limited. */
export function openWasm(program: () => Uint8Array, byteLength: number): Wasm | undefined {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(byteLength / PAGE_BYTES) });
    const { exports } = new WebAssembly.Instance(compile(program), { own: { memory } });
    return { buffer: memory.buffer, run: exports["run"] as Wasm["run"] };
  } catch {
    return undefined;
  }
}

const PAGE_BYTES = 1 << 16;
const compiled = new Map<() => Uint8Array, object>();

function compile(program: () => Uint8Array): object {
  const module = compiled.get(program) ?? new WebAssembly.Module(program());
  compiled.set(program, module);
  return module;
}

// As much of it as is used here; the types of Node leave it to those of browsers.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};
