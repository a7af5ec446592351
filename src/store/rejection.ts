/** A line that is not an entry: where it stands and why, so that nothing is skipped in silence. */
export interface Rejection {
  offset: number;
  length: number;
  reason: RejectionReason;
}

export type RejectionReason =
  /** It ends in the middle: a writer died, or is still writing. */
  | "torn"
  /** Two or more lines without a newline between them. */
  | "glued"
  /** NUL bytes, as a file system leaves them after a power failure. */
  | "nul-bytes"
  | "too-long"
  | "not-json"
  /** JSON, but not an object. */
  | "not-an-object"
  /** An object without a `type`. */
  | "no-type";

/** Why the bytes of a line are not an entry. Only called for lines that were refused. */
export function rejectionReason(bytes: Uint8Array): RejectionReason {
  if (bytes.includes(0)) return "nul-bytes";
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").trim();
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? "no-type" : "not-an-object";
  } catch (error) {
    if (/\}\s*\{"/.test(text) && text.startsWith("{")) return "glued";
    // V8 says in words where the text broke off; an end inside a value is a torn line.
    const isCut = /end of JSON input|Unterminated string|Expected ',' or '\}' after|after JSON at position \d+$/.test(String(error));
    return text.startsWith("{") && isCut && !text.endsWith("}") ? "torn" : "not-json";
  }
}
