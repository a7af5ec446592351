/** A text with a checksum before it. SQLite has none, and what was damaged or changed must count as absent. */
export function sealText(text: string): string {
  return `${checksum(text, 0, text.length)} ${text}`;
}

/** The text that was sealed; undefined when it is another one now. */
export function unsealText(sealed: unknown): string | undefined {
  return typeof sealed === "string" ? unsealPart(sealed, 0, sealed.length) : undefined;
}

/** The same for many that were sealed, one on each line; undefined when any of them is another one now. */
export function unsealLines(sealed: string): string[] | undefined {
  const texts: string[] = [];
  for (let start = 0; start <= sealed.length;) {
    const newline = sealed.indexOf("\n", start);
    const end = newline < 0 ? sealed.length : newline;
    const text = unsealPart(sealed, start, end);
    if (text === undefined) return undefined;
    texts.push(text);
    start = end + 1;
  }
  return texts;
}

// By places in the whole: letters of a text that was cut out of another take twice as long to read.
function unsealPart(sealed: string, from: number, to: number): string | undefined {
  const start = sealed.indexOf(" ", from) + 1;
  if (start <= from || start > to) return undefined;
  return Number(sealed.slice(from, start)) === checksum(sealed, start, to)
    ? sealed.slice(start, to)
    : undefined;
}

// FNV-1a of two characters at a time. That of node:zlib is faster, but takes longer to load than it saves on a thousand values.
export function checksum(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 2) {
    const second = at + 1 < end ? text.charCodeAt(at + 1) << 16 : 0;
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ second, 0x01000193);
  }
  return hash >>> 0;
}
