import type { Entry, QueueOperationEntry } from "../../format/index.ts";
import type { LineTable } from "../line/line-table.ts";
import { readTableLine } from "../line/read-line.ts";
import { needsEarlierLines } from "./walk-conversation.ts";

/** The conversation with its queued prompts in it, and the lines that took them off the queue. */
export interface PlacedPrompts {
  lines: number[];
  removals: number[];
}

/**
 * Puts prompts that were typed while the agent worked into the conversation. Clients before 2.1.97 handed them
 * to the model without writing a message: an `enqueue` whose `remove` follows is all that is left, and is shown
 * where it was removed. A queued prompt that also became a message or an attachment is not shown twice.
 * Those removed at line `until` or later belong to what was said behind the conversation's leaf.
 */
export function placeQueuedPrompts(
  table: LineTable,
  fd: number,
  { lines, until }: { lines: number[]; until: number },
): PlacedPrompts | typeof needsEarlierLines {
  const placed: PlacedPrompts = { lines, removals: [] };
  const inserts = new Map<number, number[]>();
  const removed = removedPrompts(table, fd).filter(({ removedAt }) => removedAt < until);
  const said =
    removed.length === 0 ? new Map<string, number>() : lastSaid(table, fd, removed[0]!.enqueued ?? 0);
  for (const { enqueued, removedAt, text } of removed) {
    // Lines that a compaction moved stand out of file order; the last one before the removal is the place.
    const at = lines.findLastIndex((line) => line < removedAt);
    if (at < 0) continue;
    if (enqueued === undefined) {
      if (table.from > 0) return needsEarlierLines;
      continue;
    }
    if ((said.get(text) ?? -1) > enqueued) continue;
    inserts.set(at, [...(inserts.get(at) ?? []), enqueued]);
    placed.removals.push(removedAt);
  }
  if (inserts.size > 0) placed.lines = lines.flatMap((line, index) => [line, ...(inserts.get(index) ?? [])]);
  return placed;
}

interface RemovedPrompt {
  /** Undefined when it was put into the queue before the table begins. */
  enqueued: number | undefined;
  removedAt: number;
  text: string;
}

// A removal names nothing; the nearest enqueue before it is what real files bear out (notices may stay queued for
// hours while typed prompts come and go), and it makes the answer for a part of the file the same as for the whole.
function removedPrompts(table: LineTable, fd: number): RemovedPrompt[] {
  let queue: { line: number; text: string }[] = [];
  const removed: RemovedPrompt[] = [];
  for (let line = 0; line < table.count; line++) {
    if (table.kindOf(line) !== "queue-operation") continue;
    const operation = read(table, fd, line) as Partial<QueueOperationEntry> | undefined;
    if (operation?.operation === "enqueue") queue.push({ line, text: textOf(operation.content) });
    if (operation?.operation === "popAll") queue = [];
    if (operation?.operation !== "dequeue" && operation?.operation !== "remove") continue;
    const newest = queue.pop();
    if (operation.operation === "remove" && (newest === undefined || isTyped(newest.text)))
      removed.push({ enqueued: newest?.line, removedAt: line, text: newest?.text ?? "" });
  }
  return removed.sort((a, b) => (a.enqueued ?? -1) - (b.enqueued ?? -1));
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : "";
}

// Notices of ended tasks go through the same queue, as tags or (2.1.4x) as JSON.
function isTyped(text: string): boolean {
  return text !== "" && !text.startsWith("<task-notification>") && !text.startsWith('{"');
}

// Where each text was last said from a line on: in a user message or in a queued-command attachment.
function lastSaid(table: LineTable, fd: number, from: number): Map<string, number> {
  const texts = new Map<string, number>();
  for (let line = from; line < table.count; line++) {
    const kind = table.kindOf(line);
    if ((kind !== "user" && kind !== "attachment") || table.answersTool(line)) continue;
    const entry = read(table, fd, line) as
      | { message?: { content?: unknown }; attachment?: { prompt?: unknown } }
      | undefined;
    const content = entry?.message?.content ?? entry?.attachment?.prompt;
    for (const text of Array.isArray(content)
      ? content.map((block: { text?: unknown }) => block.text)
      : [content]) {
      if (typeof text === "string") texts.set(text, line);
    }
  }
  return texts;
}

function read(table: LineTable, fd: number, line: number): Entry | undefined {
  const result = readTableLine(table, fd, line);
  return result.ok ? result.entry : undefined;
}
