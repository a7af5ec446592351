import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  ZERO,
} from "../lib/json-bytes.ts";
import type { Range } from "../store/skimmed-keys.ts";
import type { LineUsage } from "./message-table.ts";

/** Which number of an array of counts is which. */
export const Count = { input: 0, output: 1, sum: 2, fiveMinutes: 3, hour: 4, cacheRead: 5 } as const;
export const COUNTS_LENGTH = 6;

/**
 * Reads the counts of a `usage` object, number by number, without making anything of the rest; one that is written in an
 * unusual way is parsed. False when it is no JSON.
 */
export function readCounts(bytes: Buffer, usage: Range, counts: Float64Array): boolean {
  counts.fill(0);
  const isPlain = findCounts(bytes, usage, (index, value) => void (counts[index] = value));
  return isPlain || parseCounts(bytes.toString("utf8", usage.start, usage.end), counts);
}

export function takeCounts(counts: Float64Array, into: LineUsage): void {
  into.input = counts[Count.input]!;
  into.output = counts[Count.output]!;
  into.cacheRead = counts[Count.cacheRead]!;
  into.cacheWrite1h = counts[Count.hour]!;
  // Some versions left the sum at 0 beside a filled split; others write the sum alone, which means five minutes.
  into.cacheWrite5m = Math.max(counts[Count.fiveMinutes]!, counts[Count.sum]! - into.cacheWrite1h);
}

const key = (name: string): Buffer => Buffer.from(name, "latin1");
const NESTED = key("cache_creation");
const TOP: [Buffer, number][] = [
  [key("input_tokens"), Count.input],
  [key("output_tokens"), Count.output],
  [key("cache_creation_input_tokens"), Count.sum],
  [key("cache_read_input_tokens"), Count.cacheRead],
];
const IN_CACHE_CREATION: [Buffer, number][] = [
  [key("ephemeral_5m_input_tokens"), Count.fiveMinutes],
  [key("ephemeral_1h_input_tokens"), Count.hour],
];

/**
 * Calls for each count with its place. Walks compact JSON; false at anything that it does not expect, whatever was found
 * by then.
 */
export function findCounts(
  bytes: Buffer,
  { start, end }: Range,
  onCount: (index: number, value: number, at: number) => void,
): boolean {
  let depth = 0;
  // At which depth the object of cache writes is open; 0 for not.
  let nestedDepth = 0;
  let isNestedKey = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (isNestedKey && byte === OPEN_BRACE) nestedDepth = depth;
      isNestedKey = false;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === nestedDepth) nestedDepth = 0;
      depth--;
    } else if (byte === QUOTE) {
      // Names are short: a loop beats a call into memchr.
      let close = at + 1;
      while (close < end && bytes[close] !== QUOTE) if (bytes[close++] === BACKSLASH) return false;
      if (close >= end) return false;
      const keyStart = at + 1;
      at = close;
      if (bytes[close + 1] !== COLON) continue;
      isNestedKey = depth === 1 && isKey(bytes, keyStart, close, NESTED);
      const index =
        depth === 1
          ? findName(TOP, bytes, keyStart, close)
          : depth === nestedDepth
            ? findName(IN_CACHE_CREATION, bytes, keyStart, close)
            : undefined;
      if (index === undefined) continue;
      let value = 0;
      let next = close + 2;
      while (bytes[next]! >= ZERO && bytes[next]! <= NINE) value = value * 10 + bytes[next++]! - ZERO;
      // No whole number, or one that goes on as another kind.
      if (next === close + 2 || (bytes[next] !== COMMA && bytes[next] !== CLOSE_BRACE)) return false;
      onCount(index, value, close + 2);
      at = next - 1;
    }
  }
  return depth === 0;
}

function findName(
  names: readonly [Buffer, number][],
  bytes: Buffer,
  start: number,
  end: number,
): number | undefined {
  for (const [name, index] of names) if (isKey(bytes, start, end, name)) return index;
  return undefined;
}

function isKey(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}

interface ApiUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number };
}

function parseCounts(json: string, counts: Float64Array): boolean {
  let usage: ApiUsage;
  try {
    usage = JSON.parse(json) as ApiUsage;
  } catch {
    return false;
  }
  counts[Count.input] = count(usage.input_tokens);
  counts[Count.output] = count(usage.output_tokens);
  counts[Count.sum] = count(usage.cache_creation_input_tokens);
  counts[Count.fiveMinutes] = count(usage.cache_creation?.ephemeral_5m_input_tokens);
  counts[Count.hour] = count(usage.cache_creation?.ephemeral_1h_input_tokens);
  counts[Count.cacheRead] = count(usage.cache_read_input_tokens);
  return true;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
