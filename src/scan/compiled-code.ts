/**
 * The WebAssembly of assembly/find-pair.ts. The build replaces this file by one that holds its bytes. A clone that runs
 * from its source has none and uses the plain twin.
 */
export const compiledCode: Uint8Array | undefined = undefined;
