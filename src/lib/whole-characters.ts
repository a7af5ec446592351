// Where bytes and texts may be cut without leaving a part of a character.

/** How many bytes at the start of a piece of UTF-8 belong to a character before it: at most three. */
export function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && isContinuation(bytes[count])) count++;
  return count;
}

/** How many bytes of a piece of UTF-8 are whole characters: all, or those before a character that is cut off at the end. */
export function wholeCharacters(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > bytes.length - 4 && isContinuation(bytes[at])) at--;
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + length > bytes.length ? at : bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The beginning of a text, at most so long, without the first half of a surrogate pair at its end. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, "");
}

/** The end of a text, at most so long, without the second half of a surrogate pair at its start. */
export function endOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(-lengthMax).replace(/^[\udc00-\udfff]/, "");
}
