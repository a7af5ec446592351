import fs from "node:fs";
import { readBytes } from "../../lib/line-scanner.ts";
import { entryOfLine, readLine } from "../../store/line/read-line.ts";
import { LineSkimmer } from "../../store/line/skim-line.ts";
import type { Entry } from "../../format/index.ts";
import { isAssistant, uuidOf } from "../../format/entry-kinds.ts";
import type {
  LineDefect,
  LinkDefect,
  ToolDefect,
  TranscriptDefect,
} from "../transcripts/transcript-defect.ts";
import type { Edit } from "./apply-edits.ts";
import { missingEntry, missingResult } from "./made-entries.ts";
import { salvageLine } from "./salvage-line.ts";

/** Where an entry hung that is gone: by its uuid, as far as what was left of it tells. */
export type LostParents = Map<string, string | null>;

/**
 * The edits that fix the first sort of defect there is: damaged lines, then links, then tool uses, because fixing one
 * may bring others to light. Lines that are entries keep their bytes, but for a parent that leads in a circle.
 */
export function planEdits(fd: number, defects: readonly TranscriptDefect[], lost: LostParents): Edit[] {
  const lines = defects.filter((defect): defect is LineDefect => lineKinds.has(defect.kind));
  if (lines.length > 0) return lines.map((defect) => mendLine(fd, defect, lost));
  const links = defects.filter(
    (defect): defect is LinkDefect => defect.kind === "missing-parent" || defect.kind === "parent-cycle",
  );
  if (links.length > 0) return mendLinks(fd, links, lost);
  return mendTools(
    fd,
    defects.filter((defect): defect is ToolDefect => defect.kind === "unanswered-tool"),
  );
}

const lineKinds = new Set<TranscriptDefect["kind"]>([
  "torn-line",
  "glued-lines",
  "nul-bytes",
  "foreign-line",
]);
const NEWLINE = 10;

function mendLine(fd: number, { offset, length }: LineDefect, lost: LostParents): Edit {
  const bytes = Buffer.from(readBytes(fd, { offset, length }));
  const whole = salvageLine(bytes);
  noteLost(bytes, whole, lost);
  const text = Buffer.concat(whole.flatMap((entry) => [entry, Buffer.of(NEWLINE)]));
  return { offset, length: lengthWithNewline(fd, { offset, length }), bytes: text };
}

// Of a torn entry often enough is left to know what it hung on.
function noteLost(bytes: Buffer, whole: readonly Buffer[], lost: LostParents): void {
  const skimmer = new LineSkimmer();
  skimmer.skim(bytes, 0, bytes.length);
  const { uuid, parentUuid } = skimmer;
  if (uuid.start < 0) return;
  const id = bytes.toString("utf8", uuid.start, uuid.end);
  const isId = (entry: Entry | undefined): boolean => entry !== undefined && uuidOf(entry) === id;
  if (whole.some((line) => isId(entryOfLine(line)))) return;
  lost.set(id, parentUuid.start < 0 ? null : bytes.toString("utf8", parentUuid.start, parentUuid.end));
}

function mendLinks(fd: number, links: readonly LinkDefect[], lost: LostParents): Edit[] {
  const bridged = new Set<string>();
  return links.flatMap((link): Edit[] => {
    const child: (Entry & { parentUuid?: unknown }) | undefined = entryAt(fd, link);
    const bridge = link.bridgeTo && entryAt(fd, link.bridgeTo);
    const previous = (bridge && uuidOf(bridge)) ?? null;
    if (!child || typeof child.parentUuid !== "string") return [];
    if (link.kind === "parent-cycle") return [turnAside(fd, link, previous)];
    if (bridged.has(child.parentUuid)) return [];
    bridged.add(child.parentUuid);
    const parentUuid = lost.get(child.parentUuid) ?? previous;
    const line = missingEntry(child, { uuid: child.parentUuid, parentUuid });
    return [{ offset: link.offset, length: 0, bytes: Buffer.from(`${line}\n`) }];
  });
}

// The one value that makes the circle is replaced; the rest of the line keeps its bytes.
function turnAside(fd: number, { offset, length }: LinkDefect, parentUuid: string | null): Edit {
  const bytes = readBytes(fd, { offset, length });
  const skimmer = new LineSkimmer();
  skimmer.skim(bytes, 0, bytes.length);
  const { start, end } = skimmer.parentUuid;
  return {
    offset: offset + start - 1,
    length: end - start + 2,
    bytes: Buffer.from(JSON.stringify(parentUuid)),
  };
}

// Behind the last such line of the message, so that uses made together stay together.
function mendTools(fd: number, tools: readonly ToolDefect[]): Edit[] {
  const byMessage = new Map<string, { last: ToolDefect; lines: string[] }>();
  for (const tool of tools) {
    const use = entryAt(fd, tool);
    if (!use) continue;
    const { lines } = byMessage.get(messageOf(use)) ?? { lines: [] };
    byMessage.set(messageOf(use), { last: tool, lines: [...lines, missingResult(use, tool.toolUseId)] });
  }
  return [...byMessage.values()].map(({ last, lines }) => {
    const offset = last.offset + lengthWithNewline(fd, last);
    // A last line without a newline gets one first.
    const isOpen = readBytes(fd, { offset: offset - 1, length: 1 })[0] !== NEWLINE;
    return { offset, length: 0, bytes: Buffer.from(`${isOpen ? "\n" : ""}${lines.join("\n")}\n`) };
  });
}

function messageOf(use: Entry): string {
  return (isAssistant(use) ? use.message.id : undefined) ?? uuidOf(use) ?? "";
}

function entryAt(fd: number, ref: { offset: number; length: number }): Entry | undefined {
  const read = readLine(fd, { offset: ref.offset, length: ref.length });
  return read.ok ? read.entry : undefined;
}

function lengthWithNewline(fd: number, { offset, length }: { offset: number; length: number }): number {
  return offset + length < fs.fstatSync(fd).size ? length + 1 : length;
}
