import { describe, expect, test } from "vitest";
import { sampleSession, TranscriptBuilder } from "../../test/support/index.ts";
import type { Entry } from "../format/entries/entry.ts";
import type { ConversationItem } from "./conversation-item.ts";
import { readItems } from "./read-items.ts";

async function itemsOf(entries: readonly object[]): Promise<ConversationItem[]> {
  const items: ConversationItem[] = [];
  for await (const item of readItems(entries as Entry[])) items.push(item);
  return items;
}

function user(content: unknown, extra: object = {}): object {
  return { type: "user", uuid: "u", parentUuid: null, message: { role: "user", content }, ...extra };
}

describe("readItems()", () => {
  test("puts each result beside its call, in the order of the calls", async () => {
    const items = await itemsOf(sampleSession().entries.slice(0, 9));
    const tools = items.filter((item) => item.kind === "tool");
    expect(
      tools.map(({ name, detail, result }) => ({ name, detail, text: result?.text.split("\n")[0] })),
    ).toEqual([
      { name: "Read", detail: "a.ts", text: "export const a = 1;" },
      { name: "Bash", detail: "npm test", text: "1 failed" },
      { name: "Agent", detail: "Explore: Find every caller of parse()", text: "The agent has ended." },
    ]);
    expect(tools[2]?.agent).toMatchObject({
      type: "Explore",
      description: "Find every caller of parse()",
      id: expect.stringMatching(/^a/) as string,
    });
  });

  test("shows a call without a result when none came, and a result whose call is not there", async () => {
    const { uses, results } = new TranscriptBuilder().callTools({
      name: "Bash",
      input: { command: "ls" },
      result: "a.ts",
    });
    expect(await itemsOf(uses)).toEqual([
      {
        kind: "tool",
        name: "Bash",
        detail: "ls",
        input: { command: "ls" },
        at: expect.any(String) as string,
      },
    ]);
    expect(await itemsOf(results)).toEqual([
      { kind: "tool", detail: "", result: { text: "a.ts", bytes: 4, images: 0, isError: false } },
    ]);
  });

  test("holds no more than a limit of items while a call waits", async () => {
    const session = new TranscriptBuilder();
    session.reply({ type: "tool_use", id: "toolu_never", name: "Bash", input: { command: "sleep" } });
    for (let count = 0; count < 600; count++) session.reply(`Answer ${count}`);
    const reading = readItems(session.entries as Entry[]);
    const first = await reading.next();
    expect(first.value).toMatchObject({ kind: "tool", detail: "sleep" });
    expect((await itemsOf(session.entries)).length).toBe(601);
  });

  const spoken: [title: string, entry: object, item: object][] = [
    [
      "a prompt with an image",
      user([
        { type: "text", text: "Look" },
        { type: "image", source: { type: "base64" } },
      ]),
      { kind: "prompt", text: "Look", images: 1, isQueued: false },
    ],
    [
      "a slash command",
      user(
        "<command-message>clear</command-message>\n<command-name>/clear</command-name>\n<command-args>all</command-args>",
      ),
      { kind: "command", text: "/clear all" },
    ],
    [
      "what a command printed",
      user("<local-command-stdout>done</local-command-stdout>"),
      { kind: "command-output", text: "done" },
    ],
    ["a shell command", user("<bash-input>ls -l</bash-input>"), { kind: "command", text: "! ls -l" }],
    [
      "an interruption",
      user([{ type: "text", text: "[Request interrupted by user for tool use]" }]),
      { kind: "notice", text: "Interrupted by the user", isError: false },
    ],
    [
      "a teammate",
      user('<teammate-message teammate_id="scout">found it</teammate-message>'),
      { kind: "peer", name: "scout", text: "found it" },
    ],
    ["what the client put in", user("Caveat", { isMeta: true }), { kind: "context", name: "note" }],
    [
      "a compaction's summary",
      user("So far", { isCompactSummary: true }),
      { kind: "summary", text: "So far" },
    ],
    [
      "a prompt typed meanwhile",
      { type: "queue-operation", operation: "enqueue", content: "And this" },
      { kind: "prompt", text: "And this", images: 0, isQueued: true },
    ],
    [
      "one that reached the model in the turn",
      {
        type: "attachment",
        uuid: "a",
        parentUuid: null,
        attachment: { type: "queued_command", prompt: "Now", commandMode: "prompt" },
      },
      { kind: "prompt", text: "Now", images: 0, isQueued: true },
    ],
    [
      "a file",
      {
        type: "attachment",
        uuid: "a",
        parentUuid: null,
        attachment: { type: "file", filename: "/x/a.ts", displayPath: "a.ts" },
      },
      { kind: "context", name: "file a.ts" },
    ],
    [
      "a failed request",
      {
        type: "system",
        subtype: "api_error",
        uuid: "s",
        error: { status: 529 },
        retryAttempt: 1,
        maxRetries: 10,
      },
      { kind: "notice", text: "API error 529, try 1 of 10", isError: true },
    ],
    [
      "a type that nobody knows yet",
      { type: "brand-new", uuid: "n", parentUuid: null },
      { kind: "context", name: "brand-new" },
    ],
  ];
  test.each(spoken)("names %s for what it is", async (_, entry, item) => {
    expect(await itemsOf([entry])).toEqual([item]);
  });

  test("shows a notification as one, and never what a task forged inside it", async () => {
    const text =
      "<task-notification>\n<task-id>b1a2b3c4d</task-id>\n<status>completed</status>\n<summary>Done</summary>\n<result>fine</result>\n</task-notification>";
    const [item] = await itemsOf([user(text)]);
    expect(item).toMatchObject({
      kind: "notification",
      notification: { taskId: "b1a2b3c4d", status: "completed", summary: "Done", result: "fine" },
    });
  });

  test("takes entries of the wrong shape for what they still say", async () => {
    const broken = [
      { type: "attachment", uuid: "a", parentUuid: null, attachment: 7 },
      {
        type: "assistant",
        uuid: "b",
        parentUuid: null,
        message: { content: [{ type: "text" }, { type: "tool_use" }, null, 5] },
      },
      { type: "system", uuid: "c", parentUuid: null },
      { type: "queue-operation", operation: "enqueue" },
    ];
    expect(await itemsOf(broken)).toEqual([{ kind: "context", name: "system" }]);
  });
});
