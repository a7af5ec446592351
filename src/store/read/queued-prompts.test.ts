import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { readConversation, type ConversationOptions } from "./conversation.ts";
import { placeQueuedPrompts } from "./queued-prompts.ts";
import { parseIntoTable } from "../line/parse-table.ts";
import { needsEarlierLines } from "./walk-conversation.ts";

/** What is said, in conversation order: texts of messages, and of prompts in the queue with a `>`. */
async function texts(session: TranscriptBuilder, options: ConversationOptions = {}): Promise<string[]> {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, session.jsonl());
  const { entries } = await readConversation(file, options);
  return entries.map((entry) => {
    const { content, message, attachment } = entry as unknown as {
      content?: string;
      message?: { content: string | { text: string }[] };
      attachment?: { prompt: string };
    };
    if (attachment) return `+${attachment.prompt}`;
    if (!message) return `>${content}`;
    return typeof message.content === "string" ? message.content : message.content[0]!.text;
  });
}

test("placeQueuedPrompts() shows a prompt where it was taken from the queue", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "meanwhile");
  session.reply("b");
  session.queue("remove");
  session.reply("c");
  expect(await texts(session)).toEqual(["a", "b", ">meanwhile", "c"]);
});

test("placeQueuedPrompts() keeps prompts in the order in which they were typed and each where it was taken", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "one");
  session.queue("enqueue", "two");
  session.queue("remove");
  session.queue("remove");
  session.reply("b");
  session.queue("enqueue", "three");
  session.queue("enqueue", "four");
  session.queue("remove");
  session.reply("c");
  session.queue("remove");
  expect(await texts(session)).toEqual(["a", ">one", ">two", "b", ">four", "c", ">three"]);
});

test("placeQueuedPrompts() shows no prompt that was given back, sent as a message, or is a notice", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "to the editor");
  session.queue("popAll", "to the editor");
  session.queue("remove");
  session.queue("enqueue", "sent");
  session.queue("dequeue");
  session.prompt("sent");
  session.queue("enqueue", "sent although removed");
  session.queue("remove");
  session.prompt("sent although removed");
  session.queue("enqueue", "attached");
  session.queue("remove");
  session.prompt("", {
    type: "attachment",
    message: undefined as never,
    attachment: { type: "queued_command", prompt: "attached" },
  });
  session.queue("enqueue", "<task-notification>\n<task-id>b1</task-id>");
  session.queue("remove");
  session.queue("enqueue", '{"task_id":"b1"}');
  session.queue("remove");
  session.queue("enqueue");
  session.queue("remove");
  session.queue("enqueue", "still waiting");
  expect(await texts(session)).toEqual(["a", "sent", "sent although removed", "+attached"]);
});

test("placeQueuedPrompts() shows a prompt that was also said before it was typed again", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "other");
  session.queue("remove");
  session.prompt("continue");
  session.queue("enqueue", "continue");
  session.reply("b");
  session.queue("remove");
  session.reply("c");
  expect(await texts(session)).toEqual(["a", ">other", "continue", "b", ">continue", "c"]);
});

test("placeQueuedPrompts() shows nothing that was typed behind the leaf that was asked for", async () => {
  const session = new TranscriptBuilder();
  const leaf = session.prompt("a").uuid;
  session.queue("enqueue", "early");
  session.queue("remove");
  const [reply] = session.reply("b");
  session.queue("enqueue", "late");
  session.queue("remove");
  session.reply("c");
  expect([await texts(session, { leaf }), await texts(session, { leaf: reply!.uuid })]).toEqual([
    ["a"],
    ["a", ">early", "b"],
  ]);
});

test("placeQueuedPrompts() shows what was typed after the last message", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "last words");
  session.queue("remove");
  expect([await texts(session), await texts(session, { last: 1 })]).toEqual([
    ["a", ">last words"],
    [">last words"],
  ]);
});

test("placeQueuedPrompts() asks for earlier lines when a prompt was typed before the table begins", () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "typed long before");
  session.reply("b");
  session.queue("remove");
  session.reply("c");
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, session.jsonl());
  const fd = fs.openSync(file, "r");
  const placed = [0, 2, 4].map((from) => {
    const start = session.entries
      .slice(0, from)
      .reduce((at, entry) => at + JSON.stringify(entry).length + 1, 0);
    const table = parseIntoTable(fd, { from: start, to: fs.fstatSync(fd).size });
    return placeQueuedPrompts(table, fd, { lines: [table.count - 1 - (from < 4 ? 2 : 0)], until: Infinity });
  });
  fs.closeSync(fd);
  expect(placed).toEqual([{ lines: [2, 1], removals: [3] }, needsEarlierLines, { lines: [0], removals: [] }]);
});
