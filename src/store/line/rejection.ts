/** A line that is not an entry: its place and the reason, so that nothing is skipped silently. */
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
  // Trimming takes a byte order mark away too.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").trim();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? "no-type" : "not-an-object";
  } catch (error) {
    return text.startsWith("{") ? reasonOfParseError(text, String(error)) : "not-json";
  }
}

// V8 says in words where it had to stop: behind a whole value, or at the very end of the text.
function reasonOfParseError(text: string, message: string): RejectionReason {
  const [, stoppedAt] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? [];
  if (stoppedAt === undefined) return message.endsWith("Unexpected end of JSON input") ? "torn" : "not-json";
  if (message.includes("after JSON at position"))
    return text[Number(stoppedAt)] === "{" ? "glued" : "not-json";
  return Number(stoppedAt) >= text.length ? "torn" : "not-json";
}
