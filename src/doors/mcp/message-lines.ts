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
    const text = line.toString("utf8").trim();
    if (length <= mcpMessageBytesMax && text === "") return undefined;
    const wrong = length > mcpMessageBytesMax ? tooLong(length) : whatIsWrong(text);
    if (!wrong) return line;
    answer(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: wrong })}\n`);
    return undefined;
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

interface RpcError {
  code: number;
  message: string;
}

function tooLong(bytes: number): RpcError {
  const most = formatBytes(mcpMessageBytesMax);
  const message = `Invalid Request: ${formatBytes(bytes)} are more than the ${most} of a message`;
  return { code: INVALID_REQUEST, message };
}

function whatIsWrong(text: string): RpcError | undefined {
  const message = parseJson(text);
  if (message === undefined) return { code: PARSE_ERROR, message: "Parse error: the line is not JSON" };
  if (isJsonObject(message) && message["jsonrpc"] === "2.0") return undefined;
  return { code: INVALID_REQUEST, message: "Invalid Request: the line is no JSON-RPC 2.0 message" };
}
