import fs from "node:fs";
import { isTypedPrompt, textOf } from "../format/entry-kinds.ts";
import { lineBytesMax, promptPreviewLengthMax } from "../format/limits.ts";
import type { Entry } from "../format/index.ts";
import { LineScanner, findLineStart, type LinePosition } from "../lib/line-scanner.ts";
import { coverageOf, type FileCoverage } from "./file-coverage.ts";
import { parseLine } from "./read-line.ts";
import { LineSkimmer, type Range } from "./skim-line.ts";

/** What a list shows of a session, gathered in one pass over its file and carried on when the file grew. */
export interface SessionFacts {
  coverage: FileCoverage;
  messageCount: number;
  /** Sub-agents inside the main file (1.0.x): roots of sidechains. */
  inlineAgents: number;
  customTitle?: string;
  aiTitle?: string;
  tag?: string;
  firstPrompt?: string;
  cwd?: string;
  gitBranch?: string;
  startedAt?: string;
  updatedAt?: string;
}

/** Counts and titles of a transcript, going on from what is known of its beginning. */
export function gatherFacts(fd: number, known?: SessionFacts): SessionFacts {
  const stat = fs.fstatSync(fd);
  const facts: Omit<SessionFacts, "coverage"> = known ? { ...known } : { messageCount: 0, inlineAgents: 0 };
  const gatherer = new FactGatherer(facts);
  const scanner = new LineScanner(fd, { from: known?.coverage.to ?? 0, to: stat.size, lineBytesMax });
  let covered = known?.coverage.to ?? 0;
  const visit = (bytes: Buffer, start: number, end: number, position: LinePosition): void => {
    // A last line without a newline may still grow: it is counted by whoever reads it whole.
    if (!position.terminated && !gatherer.isWhole(bytes, start, end)) return;
    if (!position.oversized) gatherer.visit(bytes, start, end);
    covered = position.offset + position.length + (position.terminated ? 1 : 0);
  };
  while (scanner.next(visit)) {
    /* one chunk a step */
  }
  return { ...facts, coverage: coverageOf(fd, { to: covered, stat }) };
}

const HEAD_BYTES = 1 << 14;
const TAIL_BYTES = 1 << 14;

/**
 * Titles, times and the first prompt from the two ends of the file alone, in constant time. Counts are not
 * known. The client repeats its titles at every turn, so they stand near the end.
 */
export function glanceAtFacts(fd: number): Omit<SessionFacts, "coverage" | "messageCount" | "inlineAgents"> {
  const { size } = fs.fstatSync(fd);
  const facts: Omit<SessionFacts, "coverage"> = { messageCount: 0, inlineAgents: 0 };
  const gatherer = new FactGatherer(facts);
  const each = (from: number, to: number): void => {
    const scanner = new LineScanner(fd, { from, to, lineBytesMax, chunkBytes: HEAD_BYTES });
    const visit = (bytes: Buffer, start: number, end: number): void => gatherer.visit(bytes, start, end);
    while (scanner.next(visit)) if (from === 0 && facts.firstPrompt !== undefined) break;
  };
  each(0, Math.min(size, HEAD_BYTES));
  if (facts.firstPrompt === undefined && size > HEAD_BYTES) each(0, Math.min(size, HEAD_BYTES * 64));
  if (size > HEAD_BYTES) {
    const headEndedAt = facts.updatedAt;
    each(Math.max(HEAD_BYTES, size - TAIL_BYTES), size);
    // No whole line stands in the window: the last one is longer than it.
    if (facts.updatedAt === headEndedAt) each(findLineStart(fd, size - TAIL_BYTES), size);
  }
  return facts;
}

class FactGatherer {
  readonly #facts: Omit<SessionFacts, "coverage">;
  readonly #skimmer = new LineSkimmer();

  constructor(facts: Omit<SessionFacts, "coverage">) {
    this.#facts = facts;
  }

  isWhole(bytes: Buffer, start: number, end: number): boolean {
    return this.#skimmer.skim(bytes, start, end);
  }

  visit(bytes: Buffer, start: number, end: number): void {
    const skim = this.#skimmer;
    if (!skim.skim(bytes, start, end)) return;
    const facts = this.#facts;
    const type = bytes.toString("latin1", skim.type.start, skim.type.end);
    if (type === "user" || type === "assistant") this.#countMessage(type, bytes, start, end);
    else if (type in titleKeys) this.#noteTitle(bytes, start, end, type as keyof typeof titleKeys);
    if (skim.timestamp.start >= 0) {
      const timestamp = bytes.toString("latin1", skim.timestamp.start, skim.timestamp.end);
      if (facts.startedAt === undefined || timestamp < facts.startedAt) facts.startedAt = timestamp;
      if (facts.updatedAt === undefined || timestamp > facts.updatedAt) facts.updatedAt = timestamp;
    }
    const isMoved = type === "holdfast-moved";
    if (skim.cwd.start >= 0 && (facts.cwd === undefined || isMoved)) facts.cwd = jsonString(bytes, skim.cwd);
    if (skim.gitBranch.start >= 0 && !skim.isSidechain) {
      const branch = jsonString(bytes, skim.gitBranch);
      if (branch !== "") facts.gitBranch = branch;
    }
  }

  #countMessage(type: "user" | "assistant", bytes: Buffer, start: number, end: number): void {
    const skim = this.#skimmer;
    if (skim.isSidechain) {
      if (type === "user" && skim.parentUuid.start < 0) this.#facts.inlineAgents++;
      return;
    }
    this.#facts.messageCount++;
    if (
      type !== "user" ||
      this.#facts.firstPrompt !== undefined ||
      skim.isMeta ||
      skim.toolResults.length > 0
    )
      return;
    const read = parseLine(bytes.subarray(start, end), { offset: 0, length: end - start });
    if (read.ok && isTypedPrompt(read.entry)) this.#facts.firstPrompt = preview(read.entry);
  }

  #noteTitle(bytes: Buffer, start: number, end: number, type: keyof typeof titleKeys): void {
    const read = parseLine(bytes.subarray(start, end), { offset: 0, length: end - start });
    if (!read.ok) return;
    const { from, to } = titleKeys[type];
    const text = (read.entry as unknown as Record<string, unknown>)[from];
    if (text === "") delete this.#facts[to];
    else if (typeof text === "string") this.#facts[to] = text;
  }
}

const titleKeys = {
  "custom-title": { from: "customTitle", to: "customTitle" },
  "ai-title": { from: "aiTitle", to: "aiTitle" },
  tag: { from: "tag", to: "tag" },
} as const;

// Cut before the white space is folded: a prompt may hold a pasted file.
function preview(entry: Entry): string {
  const text = textOf(entry)
    .slice(0, promptPreviewLengthMax * 4)
    .replace(/\s+/g, " ")
    .trim();
  return Array.from(text).slice(0, promptPreviewLengthMax).join("");
}

function jsonString(bytes: Buffer, { start, end }: Range): string {
  const text = bytes.toString("utf8", start, end);
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
