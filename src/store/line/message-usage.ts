import { isJsonObject } from "../../format/json-object.ts";
import { mergeTokens, tokensOf, type MessageTokens } from "../../format/message-tokens.ts";
import { parseJson } from "../../lib/read-json.ts";
import { hashId, hashText } from "./line-table.ts";
import { LineSkimmer } from "./skim-line.ts";
import type { Range } from "./skimmed-keys.ts";

/** What one API message cost, as its lines say. */
export interface MessageUsage extends MessageTokens {
  /** 53-bit hash of message id and request id. Copies of a message in other files have the same. */
  key: number;
  /** Milliseconds since 1970; null where its first line does not say when. */
  at: number | null;
  model: string;
  /** A line of it carries the reason why it stopped, so its counts are final. */
  isStopped: boolean;
  isSidechain: boolean;
  /** How much it says: bytes of its content, without signatures. */
  contentBytes: number;
}

/** Adds what a line, or several, says of a message to the messages of its file. Each line has other content. */
export function addLine(messages: Map<number, MessageUsage>, line: MessageUsage): void {
  const message = messages.get(line.key);
  if (!message) return void messages.set(line.key, line);
  Object.assign(message, mergeTokens(message, line));
  message.isStopped ||= line.isStopped;
  message.isSidechain ||= line.isSidechain;
  message.contentBytes += line.contentBytes;
}

/** A message of which another file has a copy, possibly of fewer or of more lines. */
export function mergeCopies(message: MessageUsage, copy: MessageUsage): MessageUsage {
  return {
    ...message,
    ...mergeTokens(message, copy),
    isStopped: message.isStopped || copy.isStopped,
    contentBytes: Math.max(message.contentBytes, copy.contentBytes),
  };
}

/** The model of what a client says by itself. */
const SYNTHETIC = "<synthetic>";

const skimmer = new LineSkimmer({ onlyType: "assistant" });

/**
 * What a line, bytes [start, end), says: of its message first, then of each advisor that was asked for it, whose tokens are not
 * among those of the message. Empty when the line is no answer of a model.
 */
export function usagesOfLine(bytes: Buffer, start: number, end: number): MessageUsage[] {
  if (!skimmer.skim(bytes, start, end) || skimmer.usage.start < 0) return [];
  const textOf = (range: Range): string =>
    range.start < 0 ? "" : bytes.toString("utf8", range.start, range.end);
  const model = textOf(skimmer.model);
  if (model === SYNTHETIC) return [];
  const usage = parseJson(textOf(skimmer.usage));
  if (usage === undefined) return [];
  const at = Date.parse(textOf(skimmer.timestamp));
  const message: MessageUsage = {
    key: keyOf(bytes, { start, end }),
    at: Number.isNaN(at) ? null : at,
    model,
    isStopped: skimmer.stopReason.start >= 0,
    isSidechain: skimmer.isSidechain,
    contentBytes: skimmer.contentBytes,
    ...tokensOf(usage),
  };
  return [message, ...advisorsOf(message, usage)];
}

// Every line of a message repeats the list, and it only grows, so the place in it is what tells them apart.
function advisorsOf(message: MessageUsage, usage: unknown): MessageUsage[] {
  const iterations = isJsonObject(usage) ? usage["iterations"] : undefined;
  if (!Array.isArray(iterations)) return [];
  return iterations.flatMap((iteration: unknown, index): MessageUsage[] => {
    if (!isJsonObject(iteration) || iteration["type"] !== "advisor_message") return [];
    const model = typeof iteration["model"] === "string" ? iteration["model"] : "";
    const key = joinHashes(message.key, hashText(`advisor ${index}`));
    return [{ ...message, key, model, isStopped: true, contentBytes: 0, ...tokensOf(iteration) }];
  });
}

// Gateways omit the request id. A line without a message id is a message of its own, and so is its copy's.
function keyOf(bytes: Buffer, line: Range): number {
  const { messageId, requestId, uuid } = skimmer;
  if (messageId.start < 0) {
    const own = uuid.start < 0 ? line : uuid;
    return hashId(bytes, own.start, own.end);
  }
  const id = hashId(bytes, messageId.start, messageId.end);
  return requestId.start < 0 ? id : joinHashes(id, hashId(bytes, requestId.start, requestId.end));
}

const HIGH = 0x1_0000_0000;
const PRIME = 0x9e3779b1;

function joinHashes(a: number, b: number): number {
  const low = ((a >>> 0) ^ Math.imul(b >>> 0, PRIME)) >>> 0;
  const high = Math.floor(a / HIGH) ^ Math.floor(b / HIGH);
  return high * HIGH + low;
}
