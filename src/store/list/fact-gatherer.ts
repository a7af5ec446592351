import { promptPreviewLengthMax } from "../../format/limits.ts";
import { textOf as entryText } from "../../format/entry-kinds.ts";
import { slashCommandIn } from "../../format/tagged-text.ts";
import { entryOfLine } from "../line/read-line.ts";
import { readPrompt } from "../line/read-prompt.ts";
import { LineSkimmer } from "../line/skim-line.ts";
import { key, type Range } from "../line/skimmed-keys.ts";

/** What a session's lines say of it. */
export interface StatedFacts {
  customTitle?: string;
  aiTitle?: string;
  /** Of a `summary` line that names no other conversation. */
  summary?: string;
  tag?: string;
  firstPrompt?: string;
  /** What it began with where nobody typed a prompt: a slash command, or what a schedule asked. */
  firstCommand?: string;
  cwd?: string;
  gitBranch?: string;
  startedAt?: string;
  updatedAt?: string;
}

export interface StatedCounts {
  /** User and assistant entries of the main chain. */
  messageCount: number;
  /** Sub-agents inside the main file (1.0.x): roots of sidechains. */
  inlineAgents: number;
}

// One serves all: a list of thousands would spend more on making them than on skimming.
const line = new LineSkimmer();

/** Takes facts and counts out of the lines that it is shown, in file order. */
export class FactGatherer {
  readonly facts: StatedFacts;
  readonly counts: StatedCounts;
  /** Entries of the graph that were seen: only those carry times, branch and directory. */
  nodes = 0;

  constructor(facts: StatedFacts = {}, counts: StatedCounts = { messageCount: 0, inlineAgents: 0 }) {
    this.facts = facts;
    this.counts = counts;
  }

  /** False when the bytes are not one whole entry; they are passed over then. */
  visit(bytes: Buffer, start: number, end: number): boolean {
    if (!line.skim(bytes, start, end)) return false;
    if (line.uuid.start >= 0) this.nodes++;
    const { facts } = this;
    let isMoved = false;
    if (line.typeIs(USER)) this.#countUser(bytes, start, end);
    else if (line.typeIs(ASSISTANT)) this.counts.messageCount += line.isSidechain ? 0 : 1;
    else {
      const type = textOf(bytes, line.type);
      if (type === "system") this.#noteCommand(bytes, start, end);
      if (Object.hasOwn(titleKeys, type)) this.#noteTitle(bytes, start, end, type as keyof typeof titleKeys);
      isMoved = type === "holdfast-moved";
    }
    // To file a session elsewhere is nothing that is said or done in it.
    if (line.timestamp.start >= 0 && !isMoved) this.#noteTime(textOf(bytes, line.timestamp));
    if (line.cwd.start >= 0 && (facts.cwd === undefined || isMoved)) facts.cwd = jsonString(bytes, line.cwd);
    if (line.gitBranch.start >= 0 && !line.isSidechain) {
      const branch = jsonString(bytes, line.gitBranch);
      if (branch !== "") facts.gitBranch = branch;
    }
    return true;
  }

  #countUser(bytes: Buffer, start: number, end: number): void {
    if (line.isSidechain) {
      if (line.parentUuid.start < 0) this.counts.inlineAgents++;
      return;
    }
    this.counts.messageCount++;
    if (this.facts.firstPrompt !== undefined || line.isMeta) return;
    const text = preview(readPrompt(line, bytes, start, end) ?? "");
    if (text !== "") this.facts.firstPrompt = text;
    else if (line.contentText.start >= 0) this.#noteCommand(bytes, start, end);
  }

  #noteCommand(bytes: Buffer, start: number, end: number): void {
    const { firstPrompt, firstCommand } = this.facts;
    if (firstPrompt !== undefined || firstCommand !== undefined) return;
    const isSystem = line.typeIs(SYSTEM);
    if (isSystem && !commandSubtypes.has(textOf(bytes, line.subtype))) return;
    const entry = entryOfLine(bytes.subarray(start, end));
    const said = entry && entryText(entry);
    if (!said) return;
    const isFired = isSystem && line.subtype.end - line.subtype.start === SCHEDULE.length;
    const text = preview(isFired ? said : (slashCommandIn(said) ?? ""));
    if (text !== "") this.facts.firstCommand = text;
  }

  #noteTime(timestamp: string): void {
    const { startedAt = timestamp, updatedAt = timestamp } = this.facts;
    if (this.facts.startedAt !== undefined && timestamp >= startedAt && timestamp <= updatedAt) return;
    if (!isMoment.test(timestamp)) return;
    this.facts.startedAt = timestamp < startedAt ? timestamp : startedAt;
    this.facts.updatedAt = timestamp > updatedAt ? timestamp : updatedAt;
  }

  #noteTitle(bytes: Buffer, start: number, end: number, type: keyof typeof titleKeys): void {
    const entry = entryOfLine(bytes.subarray(start, end));
    if (entry === undefined) return;
    const { from, to } = titleKeys[type];
    const text = (entry as unknown as Record<string, unknown>)[from];
    // Most stand in the file of another session, and name the message that theirs ends at.
    if (type === "summary" && "leafUuid" in entry) return;
    if (text === "") delete this.facts[to];
    else if (typeof text === "string") this.facts[to] = text;
  }
}

const USER = key("user");
const ASSISTANT = key("assistant");
const SYSTEM = key("system");
const SCHEDULE = "scheduled_task_fire";
const commandSubtypes: ReadonlySet<string> = new Set(["local_command", SCHEDULE]);

const titleKeys = {
  "custom-title": { from: "customTitle", to: "customTitle" },
  "ai-title": { from: "aiTitle", to: "aiTitle" },
  tag: { from: "tag", to: "tag" },
  summary: { from: "summary", to: "summary" },
} as const;

// Sorted as text, so anything else would make a session the oldest or the newest forever.
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

// Cut before the white space is folded: a prompt may hold a pasted file. A little more than is shown is mostly enough.
function preview(prompt: string): string {
  const beginning = fold(prompt.slice(0, MOSTLY_ENOUGH));
  const isEnough = beginning.length >= promptPreviewLengthMax || prompt.length <= MOSTLY_ENOUGH;
  if (isEnough && !HAS_PAIRS.test(beginning)) return beginning.slice(0, promptPreviewLengthMax);
  const text = fold(prompt.slice(0, promptPreviewLengthMax * 4));
  return Array.from(text).slice(0, promptPreviewLengthMax).join("");
}

const MOSTLY_ENOUGH = promptPreviewLengthMax * 1.25;

// Only what changes is matched: single spaces are most of all white space.
function fold(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, " ").trim();
}

const HAS_PAIRS = /[\ud800-\udbff]/;

function textOf(bytes: Buffer, { start, end }: Range): string {
  return bytes.toString("latin1", start, end);
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
