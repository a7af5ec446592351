import type { Entry } from "../format/index.ts";
import type { LineTable } from "./line-table.ts";
import { readLine } from "./read-line.ts";

interface QueueOperation {
  operation?: string;
  content?: unknown;
}

/**
 * Puts prompts that were typed while the agent worked into the conversation. Clients before 2.1.97 handed them
 * to the model without writing a message: an `enqueue` whose `remove` follows is all that is left, and is shown
 * where it was removed. A queued prompt that also became a message or an attachment is not shown twice.
 */
export function placeQueuedPrompts(table: LineTable, fd: number, lines: number[]): number[] {
  const removed = removedPrompts(table, fd);
  if (removed.length === 0) return lines;
  const said = textsBehind(table, fd, removed[0]!.enqueued);
  const placed = [...lines];
  for (const { enqueued, removedAt, text } of removed) {
    if (said.has(text)) continue;
    // Lines that a compaction moved stand out of file order; the last one before the removal is the place.
    const at = placed.findLastIndex((line) => line < removedAt);
    if (at >= 0) placed.splice(at + 1, 0, enqueued);
  }
  return placed;
}

interface RemovedPrompt {
  enqueued: number;
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
    const operation = read(table, fd, line) as QueueOperation | undefined;
    if (operation?.operation === "enqueue") queue.push({ line, text: textOf(operation.content) });
    if (operation?.operation === "popAll") queue = [];
    if (operation?.operation !== "dequeue" && operation?.operation !== "remove") continue;
    const newest = queue.pop();
    if (newest && operation.operation === "remove" && isTyped(newest.text)) {
      removed.push({ enqueued: newest.line, removedAt: line, text: newest.text });
    }
  }
  return removed.sort((a, b) => a.enqueued - b.enqueued);
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : "";
}

// Notices of ended tasks go through the same queue, as tags or (2.1.4x) as JSON.
function isTyped(text: string): boolean {
  return text !== "" && !text.startsWith("<task-notification>") && !text.startsWith('{"');
}

// What was said from a line on: texts of user messages and of queued-command attachments.
function textsBehind(table: LineTable, fd: number, from: number): Set<string> {
  const texts = new Set<string>();
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
      if (typeof text === "string") texts.add(text);
    }
  }
  return texts;
}

function read(table: LineTable, fd: number, line: number): Entry | undefined {
  const result = readLine(fd, { offset: table.offset[line]!, length: table.length[line]! });
  return result.ok ? result.entry : undefined;
}
