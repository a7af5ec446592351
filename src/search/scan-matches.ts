import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { scanLines, type LineVisitor } from "../lib/line-scanner.ts";
import { valueOfLine } from "../format/line-entry.ts";
import type { TranscriptPart } from "../store/line/cut-parts.ts";
import { openIfThere } from "../store/read/open-if-there.ts";
import type { DocumentRole } from "./document-role.ts";
import { withinTime } from "./bounded-regex.ts";
import { documentOf, searchedText, type EntryDocument } from "./entry-document.ts";
import { findToolName } from "./find-tool-name.ts";
import { matchText } from "./match-text.ts";
import { NeedleFinder } from "./needle-finder.ts";
import { needlesOf, type Query } from "./parse-query.ts";
import { redactBlocks } from "./redact-documents.ts";

/** What is looked for: a query, or a regular expression. Plain data, because it goes to other threads. */
export type Wanted = { kind: "query"; query: Query } | { kind: "regex"; source: string };

export interface MatchFilter {
  /** Milliseconds since 1970. */
  since?: number | undefined;
  role?: DocumentRole | undefined;
  tool?: string | undefined;
  type?: string | undefined;
}

export interface ScanRequest {
  wanted: Wanted;
  filter: MatchFilter;
  parts: readonly TranscriptPart[];
  /** Of more matches, only the best are given. */
  matchesMax: number;
}

/** A line that matches: where it stands, how well it matches and when it was said. */
export interface Match {
  offset: number;
  length: number;
  score: number;
  at: number | null;
}

export interface ScanResult {
  matches: (Match & { path: string })[];
  /** All that match; more than `matches` has when there are very many. */
  total: number;
}

/**
 * Looks through the raw bytes of parts of transcripts. Only lines that hold a word of the query are parsed, and only
 * those count whose text matches without its secrets: what the index would have found, and nothing else.
 */
export async function scanMatches({ wanted, filter, matchesMax, parts }: ScanRequest): Promise<ScanResult> {
  const scoreOf = scorerOf(wanted);
  const visitLines = lineVisitor(wanted);
  const found: Found[] = [];
  for (const part of parts) {
    const fd = openIfThere(part.path);
    if (fd === undefined) continue;
    try {
      withinTime(wanted, () => visitLines(fd, part, collector(fd, part, { filter, scoreOf, found })));
    } finally {
      fs.closeSync(fd);
    }
  }
  const clean = await redactBlocks(found.map(({ document }) => document.blocks));
  const matches: ScanResult["matches"] = [];
  found.forEach(({ document, ...match }, index) => {
    const isSame = clean[index] === document.blocks;
    const score = isSame ? match.score : withinTime(wanted, () => scoreOf(searchedText(clean[index]!)));
    if (score !== undefined) matches.push({ ...match, score });
  });
  const total = matches.length;
  if (total > matchesMax) matches.sort((a, b) => b.score - a.score).splice(matchesMax);
  return { matches, total };
}

type Found = ScanResult["matches"][number] & { document: EntryDocument };

/** Visits the lines of a part that may match. */
type PartVisitor = (fd: number, part: TranscriptPart, visit: LineVisitor) => void;

function lineVisitor(wanted: Wanted): PartVisitor {
  const needles = wanted.kind === "query" ? needlesOf(wanted.query) : undefined;
  if (needles) {
    const finder = new NeedleFinder(needles);
    return (fd, part, visit) => finder.visitLines(fd, part, visit);
  }
  return (fd, { from, to }, visit) => scanLines(fd, { from, to, lineBytesMax }, visit);
}

/** Adds the lines of a part that match to those that were found. */
function collector(
  fd: number,
  { path }: TranscriptPart,
  { filter, scoreOf, found }: { filter: MatchFilter; scoreOf: Scorer; found: Found[] },
): LineVisitor {
  let lastAt: number | null = null;
  return (bytes, start, end, { offset, length, oversized }) => {
    if (oversized) return;
    const document = documentOf(valueOfLine(bytes.toString("utf8", start, end)));
    if (!document) return;
    lastAt = document.at ?? lastAt;
    if (!passes(document, lastAt, filter)) return;
    const score = scoreOf(searchedText(document.blocks));
    if (score === undefined) return;
    if (filter.tool !== undefined && !isOfTool(fd, document, { tool: filter.tool, offset })) return;
    found.push({ path, offset, length, score, at: lastAt, document });
  };
}

/** Whether what a line is passes the filter, but for the tool: whose result a line is stands elsewhere. */
export function passes({ type, role }: EntryDocument, at: number | null, filter: MatchFilter): boolean {
  if (filter.type !== undefined && filter.type !== type) return false;
  if (filter.role !== undefined && filter.role !== role) return false;
  return filter.since === undefined || (at !== null && at >= filter.since);
}

function isOfTool(
  fd: number,
  { tools, answers }: EntryDocument,
  { tool, offset }: { tool: string; offset: number },
): boolean {
  return (
    tools.some(({ name }) => name === tool) || answers.some((id) => findToolName(fd, id, offset) === tool)
  );
}

/** How well a text matches; undefined when it does not. */
type Scorer = (text: string) => number | undefined;

export function scorerOf(wanted: Wanted): Scorer {
  if (wanted.kind === "query") return (text) => matchText(wanted.query, text);
  const pattern = new RegExp(wanted.source, "i");
  return (text) => (pattern.test(text) ? 1 : undefined);
}
