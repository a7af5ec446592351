import { packedSuffix } from "./packed-form.ts";

/** Where content stands in a packed file. Without an end it is all of it, as in an archive of folders. */
export interface PackedRange {
  file: string;
  at: number;
  bytes?: number;
}

export const packSuffix: string = `.pack${packedSuffix}`;
// The first that looks like a pack: what follows are names that others chose.
const ADDRESS = /^(.*?\.pack\.zst)\/(\d+)-(\d+)\/.*\.zst$/s;

/**
 * The path of a file in a pack. There is no such file: it names the pack, the content's place in it, and what the file was
 * called, so that whoever is given it needs nothing else to read it.
 */
export function packedAddress(
  pack: string,
  { at, bytes, path }: { at: number; bytes: number; path: string },
): string {
  return `${pack}/${at}-${bytes}/${path}${packedSuffix}`;
}

export function parsePackedAddress(address: string): PackedRange {
  const [, file, at, bytes] = ADDRESS.exec(address) ?? [];
  return file === undefined ? { file: address, at: 0 } : { file, at: Number(at), bytes: Number(bytes) };
}
