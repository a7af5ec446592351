import fs from "node:fs";
import { isTypedPrompt, promptTextOf } from "../format/entry-kinds.ts";
import { lineBytesMax, promptPreviewLengthMax } from "../format/limits.ts";
import type { UserEntry } from "../format/index.ts";
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

const WINDOW_BYTES = 1 << 14;
/** Lines of the tail up to this length are all looked at: titles, tags and times are short. */
const SHORT_LINE_BYTES = 1024;
/** And the last few whatever their length: one of them says when and where the session was last. */
const LAST_LINES = 3;
/** Prompts with a pasted file are seldom longer than this. */
const SCAN_BYTES = 1 << 16;
// One window serves all files: a list of thousands would spend more on allocating than on reading.
const window = Buffer.allocUnsafeSlow(WINDOW_BYTES);

/**
 * Titles, times and the first prompt from the two ends of the file alone, in constant time. Counts are not
 * known. The client repeats its titles at every turn, so they stand near the end.
 */
export function glanceAtFacts(fd: number): Omit<SessionFacts, "coverage" | "messageCount" | "inlineAgents"> {
  const { size } = fs.fstatSync(fd);
  const facts: Omit<SessionFacts, "coverage"> = { messageCount: 0, inlineAgents: 0 };
  const gatherer = new FactGatherer(facts);
  if (size <= 2 * WINDOW_BYTES) scanAll(fd, { from: 0, to: size }, gatherer);
  else {
    glanceAtHead(fd, gatherer, facts);
    glanceAtTail(fd, size, gatherer);
  }
  const { messageCount: _messages, inlineAgents: _agents, ...known } = facts;
  return known;
}

// Up to the first prompt; what follows it tells nothing that the tail does not tell better.
function glanceAtHead(fd: number, gatherer: FactGatherer, facts: Omit<SessionFacts, "coverage">): void {
  const hasPrompt = (): boolean => facts.firstPrompt !== undefined;
  for (const [start, end] of windowLines(fs.readSync(fd, window, 0, WINDOW_BYTES, 0))) {
    gatherer.visit(window, start, end);
    if (hasPrompt()) return;
  }
  scanAll(fd, { from: 0, to: WINDOW_BYTES * 64 }, gatherer, hasPrompt);
}

function glanceAtTail(fd: number, size: number, gatherer: FactGatherer): void {
  const lines = windowLines(fs.readSync(fd, window, 0, WINDOW_BYTES, size - WINDOW_BYTES));
  const nodesBefore = gatherer.nodes;
  lines.forEach(([start, end], index) => {
    if (end - start <= SHORT_LINE_BYTES || index >= lines.length - LAST_LINES)
      gatherer.visit(window, start, end);
  });
  // No whole node among them: the last one is longer than the window, or stands before much bookkeeping.
  if (gatherer.nodes > nodesBefore) return;
  scanAll(fd, { from: findLineStart(fd, size - WINDOW_BYTES), to: size }, gatherer);
}

// The first and the last piece of a window may be cut; what is cut is no entry, and is passed over as such.
function windowLines(length: number): [start: number, end: number][] {
  const lines: [number, number][] = [];
  for (let start = 0; start < length;) {
    const newline = window.indexOf(10, start);
    const end = newline < 0 || newline > length ? length : newline;
    lines.push([start, end]);
    start = end + 1;
  }
  return lines;
}

function scanAll(
  fd: number,
  { from, to }: { from: number; to: number },
  gatherer: FactGatherer,
  isEnough: () => boolean = () => false,
): void {
  const range = { from, to: Math.min(to, fs.fstatSync(fd).size), chunkBytes: SCAN_BYTES };
  const scanner = new LineScanner(fd, { ...range, lineBytesMax });
  const visit = (bytes: Buffer, start: number, end: number): void => gatherer.visit(bytes, start, end);
  while (scanner.next(visit)) if (isEnough()) break;
}

class FactGatherer {
  /** Entries of the graph that were seen: only those carry times, branch and directory. */
  nodes = 0;
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
    if (skim.uuid.start >= 0) this.nodes++;
    const facts = this.#facts;
    const type = bytes.toString("latin1", skim.type.start, skim.type.end);
    if (type === "user" || type === "assistant") this.#countMessage(type, bytes, start, end);
    else if (Object.hasOwn(titleKeys, type))
      this.#noteTitle(bytes, start, end, type as keyof typeof titleKeys);
    if (skim.timestamp.start >= 0)
      this.#noteTime(bytes.toString("latin1", skim.timestamp.start, skim.timestamp.end));
    const isMoved = type === "holdfast-moved";
    if (skim.cwd.start >= 0 && (facts.cwd === undefined || isMoved)) facts.cwd = jsonString(bytes, skim.cwd);
    if (skim.gitBranch.start >= 0 && !skim.isSidechain) {
      const branch = jsonString(bytes, skim.gitBranch);
      if (branch !== "") facts.gitBranch = branch;
    }
  }

  #noteTime(timestamp: string): void {
    const { startedAt = timestamp, updatedAt = timestamp } = this.#facts;
    if (this.#facts.startedAt !== undefined && timestamp >= startedAt && timestamp <= updatedAt) return;
    if (!isMoment.test(timestamp)) return;
    this.#facts.startedAt = timestamp < startedAt ? timestamp : startedAt;
    this.#facts.updatedAt = timestamp > updatedAt ? timestamp : updatedAt;
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
    if (!read.ok || !isTypedPrompt(read.entry)) return;
    const text = preview(read.entry);
    if (text !== "") this.#facts.firstPrompt = text;
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

// Sorted as text, so anything else would make a session the oldest or the newest for ever.
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

// Cut before the white space is folded: a prompt may hold a pasted file.
function preview(entry: UserEntry): string {
  const text = promptTextOf(entry)
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
