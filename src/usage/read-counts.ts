import type { Range } from "../store/skim-line.ts";
import type { LineUsage } from "./message-table.ts";

type Counts = Pick<LineUsage, "input" | "output" | "cacheWrite5m" | "cacheWrite1h" | "cacheRead">;

/**
 * Reads the counts of a `usage` object into `into`, number by number, without making anything of the rest; one that is
 * written in an unusual way is parsed. False when it is no JSON.
 */
export function readCounts(bytes: Buffer, { start, end }: Range, into: Counts): boolean {
  const found = { input: 0, output: 0, sum: 0, fiveMinutes: 0, hour: 0, cacheRead: 0 };
  if (!readNumbers(bytes, { start, end }, found)) {
    const parsed = parseUsage(bytes.toString("utf8", start, end));
    if (!parsed) return false;
    Object.assign(found, parsed);
  }
  into.input = found.input;
  into.output = found.output;
  into.cacheRead = found.cacheRead;
  into.cacheWrite1h = found.hour;
  // Some versions left the sum at 0 beside a filled split; others write the sum alone, which means five minutes.
  into.cacheWrite5m = Math.max(found.fiveMinutes, found.sum - found.hour);
  return true;
}

interface Found {
  input: number;
  output: number;
  sum: number;
  fiveMinutes: number;
  hour: number;
  cacheRead: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;

const key = (name: string): Buffer => Buffer.from(name, "latin1");
const NESTED = key("cache_creation");
const TOP: [Buffer, keyof Found][] = [
  [key("input_tokens"), "input"],
  [key("output_tokens"), "output"],
  [key("cache_creation_input_tokens"), "sum"],
  [key("cache_read_input_tokens"), "cacheRead"],
];
const IN_CACHE_CREATION: [Buffer, keyof Found][] = [
  [key("ephemeral_5m_input_tokens"), "fiveMinutes"],
  [key("ephemeral_1h_input_tokens"), "hour"],
];

/** Walks compact JSON; false at anything that it does not expect, whatever was found by then. */
function readNumbers(bytes: Buffer, { start, end }: Range, found: Found): boolean {
  let depth = 0;
  // At which depth the object of cache writes is open; 0 for not.
  let nestedDepth = 0;
  let isNestedKey = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === OPEN_BRACE || byte === 0x5b) {
      depth++;
      if (isNestedKey && byte === OPEN_BRACE) nestedDepth = depth;
      isNestedKey = false;
    } else if (byte === CLOSE_BRACE || byte === 0x5d) {
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
      const name =
        depth === 1
          ? findName(TOP, bytes, keyStart, close)
          : depth === nestedDepth
            ? findName(IN_CACHE_CREATION, bytes, keyStart, close)
            : undefined;
      if (name === undefined) continue;
      at = readNumber(bytes, close + 2, found, name);
      if (at < 0) return false;
    }
  }
  return depth === 0;
}

/** Notes the whole number at `at` and returns its last place; -1 when there is none, or it goes on as another kind. */
function readNumber(bytes: Buffer, at: number, found: Found, name: keyof Found): number {
  let value = 0;
  let next = at;
  while (bytes[next]! >= ZERO && bytes[next]! <= NINE) value = value * 10 + bytes[next++]! - ZERO;
  if (next === at || (bytes[next] !== COMMA && bytes[next] !== CLOSE_BRACE)) return -1;
  found[name] = value;
  return next - 1;
}

function findName(
  names: readonly [Buffer, keyof Found][],
  bytes: Buffer,
  start: number,
  end: number,
): keyof Found | undefined {
  for (const [each, name] of names) if (isKey(bytes, start, end, each)) return name;
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

function parseUsage(json: string): Found | undefined {
  let usage: ApiUsage;
  try {
    usage = JSON.parse(json) as ApiUsage;
  } catch {
    return undefined;
  }
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    sum: count(usage.cache_creation_input_tokens),
    fiveMinutes: count(usage.cache_creation?.ephemeral_5m_input_tokens),
    hour: count(usage.cache_creation?.ephemeral_1h_input_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
