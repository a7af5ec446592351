import type { ManifestKind } from "./manifest-line.ts";

export interface Work {
  kind: ManifestKind;
  /** The prompt of an agent, or the command. */
  text: string;
  cwd: string;
}

/**
 * Equal for the same work, however its text is wrapped: kind, words, folder. 64 bits, not a secret: two different works
 * with one fingerprint would cost a needless warning. (node:crypto would cost every hook 8 ms.)
 */
export function fingerprint({ kind, text, cwd }: Work): string {
  const words = `${kind}\n${cwd}\n${text.replace(/\s+/g, " ").trim()}`;
  return hex(fnv1a(words, 0x811c9dc5)) + hex(fnv1a(words, 0x9747b28c));
}

// FNV-1a over UTF-16 units, both bytes of each.
function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

function hex(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}
