/**
 * A text with a checksum before it. SQLite has none, and what was damaged or changed must count as absent.
 */
export function sealText(text: string): string {
  return `${checksum(text, 0)} ${text}`;
}

/** The text that was sealed; undefined when it is another one now. */
export function unsealText(sealed: unknown): string | undefined {
  if (typeof sealed !== "string") return undefined;
  const start = sealed.indexOf(" ") + 1;
  return Number(sealed.slice(0, start)) === checksum(sealed, start) ? sealed.slice(start) : undefined;
}

// FNV-1a. That of node:zlib is faster, but takes longer to load than it saves on a thousand values.
function checksum(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
