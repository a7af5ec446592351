import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner, type LinePosition } from "../lib/line-scanner.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { documentOf, searchedText, type DocumentRole, type EntryDocument } from "./entry-document.ts";
import { findToolName } from "./find-tool-name.ts";
import { matchText } from "./match-text.ts";
import { NeedleFinder } from "./needle-finder.ts";
import { needlesOf, type Query } from "./parse-query.ts";
import { parseJson } from "./prepare-documents.ts";
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

export interface ScanJob {
  part: TranscriptPart;
  wanted: Wanted;
  filter: MatchFilter;
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
  matches: Match[];
  /** All that match; more than `matches` has when there are very many. */
  total: number;
}

/** Looks through several parts, one after the other. */
export async function scanAll({ jobs }: { jobs: readonly ScanJob[] }): Promise<ScanResult[]> {
  const results: ScanResult[] = [];
  for (const job of jobs) results.push(await scanForMatches(job));
  return results;
}

/**
 * Looks through the raw bytes of a part of a transcript. Only lines that hold a word of the query are parsed, and only
 * those count whose text matches without its secrets: what the index would have found, and nothing else.
 */
export async function scanForMatches(job: ScanJob): Promise<ScanResult> {
  const fd = openIfThere(job.part.path);
  if (fd === undefined) return { matches: [], total: 0 };
  try {
    const scoreOf = scorerOf(job.wanted);
    const found = collect(fd, job, scoreOf);
    const clean = await redactBlocks(found.map(({ document }) => document.blocks));
    const matches: Match[] = [];
    found.forEach((each, index) => {
      const { document, offset, length, at } = each;
      const isSame = clean[index] === document.blocks;
      const score = isSame ? each.score : scoreOf(searchedText(clean[index]!));
      if (score !== undefined) matches.push({ offset, length, score, at });
    });
    const total = matches.length;
    if (total > job.matchesMax) matches.sort((a, b) => b.score - a.score).splice(job.matchesMax);
    return { matches, total };
  } finally {
    fs.closeSync(fd);
  }
}

interface Found extends Match {
  document: EntryDocument;
}

function collect(
  fd: number,
  { part, wanted, filter }: ScanJob,
  scoreOf: (text: string) => number | undefined,
): Found[] {
  const needles = wanted.kind === "query" ? needlesOf(wanted.query) : undefined;
  const finder = needles && new NeedleFinder(needles);
  const found: Found[] = [];
  let lastAt: number | null = null;
  const visit = (
    bytes: Buffer,
    start: number,
    end: number,
    { offset, length, oversized }: LinePosition,
  ): void => {
    if (oversized) return;
    const document = documentOf(parseJson(bytes.toString("utf8", start, end)));
    if (!document) return;
    lastAt = document.at ?? lastAt;
    if (!passes(document, lastAt, filter)) return;
    const score = scoreOf(searchedText(document.blocks));
    if (score === undefined) return;
    if (filter.tool !== undefined && !isOfTool(fd, document, { tool: filter.tool, offset })) return;
    found.push({ offset, length, score, at: lastAt, document });
  };
  const { from, to } = part;
  if (finder) finder.visitLines(fd, { from, to }, visit);
  else {
    const scanner = new LineScanner(fd, { from, to, lineBytesMax });
    while (scanner.next(visit)) {
      /* one chunk a step */
    }
  }
  return found;
}

function passes({ type, role }: EntryDocument, at: number | null, filter: MatchFilter): boolean {
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
export function scorerOf(wanted: Wanted): (text: string) => number | undefined {
  if (wanted.kind === "query") return (text) => matchText(wanted.query, text);
  const pattern = new RegExp(wanted.source, "i");
  return (text) => (pattern.test(text) ? 1 : undefined);
}
