import { Transform } from "node:stream";
import { isJsonObject } from "../../format/json-object.ts";
import { formatBytes } from "../../lib/quantities.ts";
import { parseJson } from "../../lib/read-json.ts";
import { mcpMessageBytesMax } from "./limits.ts";

const NEWLINE = 10;

/** The codes of JSON-RPC for what is no message. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Hands on what is a message, a line each. To what is none it answers itself: the library passes over it without a word, so
 * that whoever sent it would wait for ever, and ends the server at a line that is too long.
 */
export function messageLines(answer: (line: string) => void): Transform {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const refuse = (code: number, message: string): void =>
    answer(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`);
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes <= mcpMessageBytesMax) pieces.push(piece);
    else pieces = [];
  };
  const takeLine = (): Buffer | undefined => {
    const line = Buffer.concat(pieces);
    const length = bytes;
    pieces = [];
    bytes = 0;
    if (length > mcpMessageBytesMax) {
      const most = formatBytes(mcpMessageBytesMax);
      return void refuse(
        INVALID_REQUEST,
        `Invalid Request: ${formatBytes(length)} are more than the ${most} of a message`,
      );
    }
    const text = line.toString("utf8").trim();
    if (text === "") return undefined;
    const message = parseJson(text);
    if (message === undefined) return void refuse(PARSE_ERROR, "Parse error: the line is not JSON");
    if (isJsonObject(message) && message["jsonrpc"] === "2.0") return line;
    return void refuse(INVALID_REQUEST, "Invalid Request: the line is no JSON-RPC 2.0 message");
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        const line = takeLine();
        if (line) this.push(Buffer.concat([line, Buffer.of(NEWLINE)]));
      }
      add(chunk.subarray(start));
      done();
    },
  });
}
