import { snippetLengthMax } from "./limits.ts";
import { terminalLine } from "../lib/terminal-text.ts";
import { withinTime } from "./bounded-regex.ts";
import { phrasesOf } from "./parse-query.ts";
import type { Wanted } from "./scan-matches.ts";

export interface TextRange {
  start: number;
  end: number;
}

/** The part of a text with the most matches, on one line and safe to show, and where in it they are. */
export function makeSnippet(text: string, wanted: Wanted): { snippet: string; highlights: TextRange[] } {
  return withinTime(wanted, () => snippetOf(text, wanted));
}

function snippetOf(text: string, wanted: Wanted): { snippet: string; highlights: TextRange[] } {
  const found = findRanges(text, wanted);
  const from = bestStart(found);
  const start = wordStart(text, Math.max(0, from - snippetLengthMax / 4));
  const end = Math.min(text.length, start + snippetLengthMax);
  const piece = terminalLine(text.slice(start, end));
  const lead = start > 0 ? "…" : "";
  const snippet = `${lead}${piece}${end < text.length ? "…" : ""}`;
  // What shows is not what was searched (spaces, controls are gone), so it is searched again.
  return { snippet, highlights: findRanges(snippet, wanted) };
}

function findRanges(text: string, wanted: Wanted): TextRange[] {
  const pattern = wanted.kind === "regex" ? new RegExp(wanted.source, "gi") : patternOf(wanted.query);
  const ranges: TextRange[] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== "") ranges.push({ start: match.index, end: match.index + match[0].length });
    if (ranges.length === RANGES_MAX) break;
  }
  return ranges;
}

// Enough to find the best place.
const RANGES_MAX = 1000;

// The phrases as they may be written: their words with anything but words in between, or with nothing (camelCase).
function patternOf(query: Extract<Wanted, { kind: "query" }>["query"]): RegExp {
  const alternatives = phrasesOf(query).map(({ words, isPrefix }) => {
    const text = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^\\p{L}\\p{N}]*");
    return isPrefix ? `${text}[\\p{L}\\p{N}]*` : text;
  });
  return new RegExp(alternatives.join("|"), "giu");
}

/** Where the window begins that holds the most matches. */
function bestStart(ranges: readonly TextRange[]): number {
  let best = 0;
  let most = 0;
  ranges.forEach(({ start }, index) => {
    let count = 0;
    while (ranges[index + count] && ranges[index + count]!.end <= start + (snippetLengthMax * 3) / 4) count++;
    if (count > most) [most, best] = [count, start];
  });
  return best;
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + 24).search(/\s/);
  return at === 0 || space < 0 ? at : at + space + 1;
}
