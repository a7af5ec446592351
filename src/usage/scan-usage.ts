import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner } from "../lib/line-scanner.ts";
import { hashId } from "../store/line-table.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { LineSkimmer, type Range } from "../store/skim-line.ts";
import { type LineUsage, MessageFlag, MessageTable, type MessageRows } from "./message-table.ts";

/**
 * The messages of a part of a transcript, one chunk a step, so that whoever calls may let others run in between.
 * A last line without a newline counts when it is whole.
 */
export function* scanUsage({ path, from, to }: TranscriptPart): Generator<number, MessageRows> {
  const table = new MessageTable();
  const fd = openIfThere(path);
  if (fd === undefined) return { rows: table.rows, models: [] };
  try {
    const reader = new UsageReader();
    const scanner = new LineScanner(fd, { from, to, lineBytesMax });
    const visit = (bytes: Buffer, start: number, end: number): void => {
      if (reader.read(bytes, start, end)) table.addLine(reader.line);
    };
    while (scanner.next(visit)) yield table.count;
  } finally {
    fs.closeSync(fd);
  }
  return { rows: table.rows, models: table.models };
}

/** Reads the usage of a line, if it is one that counts. `line` is overwritten by the next. */
class UsageReader {
  readonly line: LineUsage = {
    key: 0,
    at: 0,
    model: "",
    flags: 0,
    input: 0,
    output: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    cacheRead: 0,
    contentBytes: 0,
  };
  readonly #skimmer = new LineSkimmer({ onlyType: "assistant" });
  #lastUsage = "";

  read(bytes: Buffer, start: number, end: number): boolean {
    const skimmer = this.#skimmer;
    if (!skimmer.skim(bytes, start, end) || skimmer.usage.start < 0) return false;
    const { line } = this;
    line.model = latin1(bytes, skimmer.model);
    if (line.model === "<synthetic>" || !this.#readCounts(latin1(bytes, skimmer.usage))) return false;
    line.key = keyOf(skimmer, bytes, { start, end });
    line.at = Date.parse(latin1(bytes, skimmer.timestamp));
    line.contentBytes = skimmer.contentBytes;
    line.flags =
      (skimmer.stopReason.start < 0 ? 0 : MessageFlag.stopped) |
      (skimmer.isSidechain ? MessageFlag.sidechain : 0);
    return true;
  }

  // The lines of a split message repeat their counts; the same text need not be parsed again.
  #readCounts(json: string): boolean {
    if (json === this.#lastUsage) return true;
    let usage: ApiUsage;
    try {
      usage = JSON.parse(json) as ApiUsage;
    } catch {
      return false;
    }
    const { line } = this;
    const fiveMinutes = count(usage.cache_creation?.ephemeral_5m_input_tokens);
    line.cacheWrite1h = count(usage.cache_creation?.ephemeral_1h_input_tokens);
    // Some versions left the sum at 0 beside a filled split; others write the sum alone, which means five minutes.
    const sum = count(usage.cache_creation_input_tokens);
    line.cacheWrite5m = Math.max(fiveMinutes, sum - line.cacheWrite1h);
    line.input = count(usage.input_tokens);
    line.output = count(usage.output_tokens);
    line.cacheRead = count(usage.cache_read_input_tokens);
    this.#lastUsage = json;
    return true;
  }
}

interface ApiUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

// Gateways omit the request id. A line without a message id is a message of its own, and so is its copy's.
function keyOf(skimmer: LineSkimmer, bytes: Buffer, line: Range): number {
  const { messageId, requestId, uuid } = skimmer;
  if (messageId.start < 0) {
    const own = uuid.start < 0 ? line : uuid;
    return hashId(bytes, own.start, own.end);
  }
  const id = hashId(bytes, messageId.start, messageId.end);
  return requestId.start < 0 ? id : joinHashes(id, hashId(bytes, requestId.start, requestId.end));
}

const HIGH = 0x1_0000_0000;

function joinHashes(a: number, b: number): number {
  const low = ((a >>> 0) ^ Math.imul(b >>> 0, 0x9e3779b1)) >>> 0;
  const high = Math.floor(a / HIGH) ^ Math.floor(b / HIGH);
  return high * HIGH + low;
}

function latin1(bytes: Buffer, { start, end }: Range): string {
  return start < 0 ? "" : bytes.toString("latin1", start, end);
}
