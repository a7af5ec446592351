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
    [
      "another session",
      user(
        'Another Claude session sent a message:\n<teammate-message teammate_id="scout">found it</teammate-message>',
      ),
      { kind: "peer", name: "scout", text: "found it" },
    ],
    [
      "a peer whose words stand beside the text",
      user('Another Claude session sent a message:\n<agent-message from="s">\nShort\n</agent-message>', {
        isMeta: true,
        origin: { kind: "peer", from: "s", name: "scout", body: "\nShort\n" },
      }),
      { kind: "peer", name: "scout", text: "Short" },
    ],
    [
      "a prompt with documents",
      user([
        { type: "text", text: "Read" },
        { type: "document", title: "plan.pdf", source: { type: "base64", media_type: "application/pdf" } },
        { type: "document", source: { type: "base64", media_type: "application/pdf" } },
      ]),
      {
        kind: "prompt",
        text: "Read",
        images: 0,
        isQueued: false,
        documents: ["document plan.pdf", "document application/pdf"],
      },
    ],
    [
      "a hook that forbids",
      {
        type: "attachment",
        uuid: "a",
        parentUuid: null,
        attachment: {
          type: "hook_blocking_error",
          hookName: "PreToolUse:Bash",
          blockingError: { blockingError: "not on Fridays", command: "./check" },
        },
      },
      { kind: "notice", text: "Hook PreToolUse:Bash blocked this: not on Fridays", isError: true },
    ],
    [
      "what was taken back",
      {
        type: "system",
        subtype: "model_refusal_fallback",
        uuid: "s",
        content: "Asked another model",
        retractedMessageUuids: ["x"],
      },
      { kind: "notice", text: "Asked another model: 1 entry taken back", isError: false },
    ],
    ["what the client put in", user("Caveat", { isMeta: true }), { kind: "context", name: "note" }],
    [
      "a compaction's summary",
      user("So far", { isCompactSummary: true, parentUuid: "B" }),
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

  test("gives a summary that has no boundary one", async () => {
    const [boundary, summary] = await itemsOf([user("So far", { isCompactSummary: true })]);
    expect([boundary, summary]).toEqual([{ kind: "compaction" }, { kind: "summary", text: "So far" }]);
  });

  test("puts the result of a server's tool beside its call, also one that nobody may read", async () => {
    const said = (...content: object[]): object => ({
      type: "assistant",
      uuid: "a",
      parentUuid: null,
      message: { role: "assistant", content },
    });
    const use = (id: string, name: string): object => ({ type: "server_tool_use", id, name, input: {} });
    const result = (type: string, id: string, content: unknown): object => ({
      type,
      tool_use_id: id,
      content,
    });
    const items = await itemsOf([
      said(use("1", "advisor")),
      said(result("advisor_tool_result", "1", { type: "advisor_redacted_result", encrypted_content: "x" })),
      said(use("2", "advisor")),
      said(result("advisor_tool_result", "2", { type: "advisor_result", text: "Do it" })),
      said(use("3", "web_search")),
      said(
        result("web_search_tool_result", "3", [
          { type: "web_search_result", title: "A page", url: "https://a.example" },
        ]),
      ),
      said(use("4", "web_search")),
      said(
        result("web_search_tool_result", "4", {
          type: "web_search_tool_result_error",
          error_code: "max_uses_exceeded",
        }),
      ),
      said({ type: "tool_use", id: "5", name: "Read", input: {} }, result("tool_result", "5", "text")),
    ]);
    expect(
      items.map((item) => item.kind === "tool" && [item.name, item.result?.text, item.result?.isError]),
    ).toEqual([
      ["advisor", "[redacted]", false],
      ["advisor", "Do it", false],
      ["web_search", "A page https://a.example", false],
      ["web_search", "max_uses_exceeded", true],
      ["Read", "text", false],
    ]);
  });

  test("marks what was taken back", async () => {
    const entries = ["kept", "taken"].map((uuid) => ({
      type: "assistant",
      uuid,
      parentUuid: null,
      message: { role: "assistant", content: uuid },
    }));
    const items: ConversationItem[] = [];
    for await (const item of readItems(entries as unknown as Entry[], { retracted: new Set(["taken"]) }))
      items.push(item);
    expect(items).toEqual([
      { kind: "answer", text: "kept" },
      { kind: "answer", text: "taken", isRetracted: true },
    ]);
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
