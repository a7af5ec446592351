import { QUOTE } from "../lib/json-bytes.ts";
import { openMemberMemory, type MemberFinder } from "../lib/member-finder.ts";
import { LineSkimmer } from "./skim-line.ts";
import type { Range, Skim } from "./skimmed-keys.ts";

/** What of a line a list looks at. */
export type ListedLine = Pick<
  Skim,
  | "type"
  | "uuid"
  | "parentUuid"
  | "timestamp"
  | "cwd"
  | "gitBranch"
  | "isSidechain"
  | "isMeta"
  | "contentText"
>;

// One of each serves all: a list of thousands would spend more on making them than on skimming.
const skimmer = new LineSkimmer();
let fast: FastLine | undefined;

/** Memory of so many bytes, where lines are skimmed faster than elsewhere; undefined where there is no such memory. */
export function openLineMemory(byteLength: number): Buffer | undefined {
  const memory = openMemberMemory(byteLength, [LINE_KEYS, ["content"]]);
  if (memory === undefined) return undefined;
  const [line, message] = memory.finders;
  fast = new FastLine(line!, message!);
  return memory.bytes;
}

/** Skims a line; undefined when the bytes are not one whole entry. What it returns is valid until the next call. */
export function skimListedLine(bytes: Buffer, start: number, end: number): ListedLine | undefined {
  if (fast?.skim(bytes, start, end)) return fast;
  // It decides about what is damaged, and about all that is unusual.
  return skimmer.skim(bytes, start, end) ? skimmer : undefined;
}

const TEXT_KEYS = ["type", "uuid", "parentUuid", "timestamp", "cwd", "gitBranch"];
const [TYPE, UUID, PARENT_UUID, TIMESTAMP, CWD, GIT_BRANCH] = [0, 1, 2, 3, 4, 5] as const;
const LINE_KEYS = [...TEXT_KEYS, "isSidechain", "isMeta", "message"];
const [IS_SIDECHAIN, IS_META, MESSAGE] = [6, 7, 8] as const;
const CONTENT = 0;
const LETTER_T = 0x74;
const NONE: Range = { start: -1, end: -1 };

class FastLine implements ListedLine {
  type: Range = { start: -1, end: -1 };
  uuid: Range = { start: -1, end: -1 };
  parentUuid: Range = { start: -1, end: -1 };
  timestamp: Range = { start: -1, end: -1 };
  cwd: Range = { start: -1, end: -1 };
  gitBranch: Range = { start: -1, end: -1 };
  isSidechain = false;
  isMeta = false;
  readonly #line: MemberFinder;
  readonly #message: MemberFinder;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(line: MemberFinder, message: MemberFinder) {
    this.#line = line;
    this.#message = message;
  }

  skim(bytes: Buffer, start: number, end: number): boolean {
    if (!this.#line.find(bytes, start, end)) return false;
    this.#bytes = bytes;
    this.#note(TYPE, this.type);
    this.#note(UUID, this.uuid);
    this.#note(PARENT_UUID, this.parentUuid);
    this.#note(TIMESTAMP, this.timestamp);
    this.#note(CWD, this.cwd);
    this.#note(GIT_BRANCH, this.gitBranch);
    this.isSidechain = bytes[this.#line.startOf(IS_SIDECHAIN)] === LETTER_T;
    this.isMeta = bytes[this.#line.startOf(IS_META)] === LETTER_T;
    return this.type.start >= 0;
  }

  #note(key: number, into: Range): void {
    const start = this.#line.startOf(key);
    into.start = start >= 0 && this.#bytes[start] === QUOTE ? start + 1 : -1;
    into.end = this.#line.endOf(key) - 1;
  }

  /** Looked for when it is asked for, because only prompts are. */
  get contentText(): Range {
    const start = this.#line.startOf(MESSAGE);
    if (start < 0 || !this.#message.find(this.#bytes, start, this.#line.endOf(MESSAGE))) return NONE;
    const content = this.#message.startOf(CONTENT);
    if (content < 0 || this.#bytes[content] !== QUOTE) return NONE;
    return { start: content + 1, end: this.#message.endOf(CONTENT) - 1 };
  }
}
