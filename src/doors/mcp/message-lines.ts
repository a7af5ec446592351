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
 * that whoever sent it would wait forever, and ends the server at a line that is too long.
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
    // Without what was around it: the library takes a byte order mark for no message.
    if (!wrong) return Buffer.from(text);
    const { id = null, ...error } = wrong;
    answer(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
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
  /** Whose answer it is, where that can be said. */
  id?: string | number;
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
  if (isMessage(message)) return undefined;
  const id = isJsonObject(message) && message["jsonrpc"] === "2.0" ? message["id"] : undefined;
  return {
    ...(isId(id) && { id }),
    code: INVALID_REQUEST,
    message: "Invalid Request: the line is not a JSON-RPC 2.0 message",
  };
}

// As strict as the library, which passes over the rest.
function isMessage(message: unknown): boolean {
  if (!isJsonObject(message)) return false;
  const { jsonrpc, id, method, params, result, error, ...unknown } = message;
  if (jsonrpc !== "2.0" || Object.keys(unknown).length > 0 || (id !== undefined && !isId(id))) return false;
  const isAnswer = result !== undefined || error !== undefined;
  if (method === undefined) return isAnswer && params === undefined;
  return typeof method === "string" && !isAnswer && (params === undefined || isJsonObject(params));
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}
