import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import type { Entry, UnknownEntry } from "./entries/entry.ts";
import {
  blocksOf,
  isAssistant,
  isCompactBoundary,
  isCompactSummary,
  isKnownEntry,
  isMessage,
  isNode,
  isTypedPrompt,
  isUser,
  promptTextOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from "./entry-kinds.ts";

// What stands in files may be anything.
const line = (keys: object): Entry => keys as Entry;
const user = (content: unknown, keys: object = {}): Entry =>
  line({ type: "user", uuid: "u", parentUuid: null, message: { content }, ...keys });
const assistant = (content: unknown): Entry =>
  line({ type: "assistant", uuid: "a", parentUuid: "u", message: { content } });

test("a compared type narrows an entry, and what is left is known by no one", () => {
  // The compiler is the test: without narrowing neither line compiles.
  const contentOf = (entry: Entry): unknown => (entry.type === "user" ? entry.message.content : undefined);
  const keysOf = (entry: Entry): string[] =>
    isKnownEntry(entry) ? [] : Object.keys(entry satisfies UnknownEntry);
  expect(contentOf(user("x"))).toBe("x");
  expect(keysOf(line({ type: "brand-new", news: 1 }))).toEqual(["type", "news"]);
  expect(keysOf(line({ type: "toString" }))).toEqual(["type"]);
});

describe("isNode()", () => {
  test.each<[object, boolean]>([
    [{ type: "user", uuid: "u", parentUuid: null }, true],
    [{ type: "user", uuid: "u" }, true],
    [{ type: "progress", uuid: "u", parentUuid: "p" }, true],
    [{ type: "brand-new", uuid: "u", parentUuid: "p" }, true],
    [{ type: "brand-new", uuid: "u" }, false],
    [{ type: "content-replacement", uuid: "u" }, false],
    [{ type: "user", uuid: 5, parentUuid: null }, false],
    [{ type: "user", uuid: "", parentUuid: null }, false],
    [{ type: "user", uuid: "u", parentUuid: 5 }, false],
    [{ type: "user", uuid: "u", timestamp: 5 }, false],
    [{ type: "summary", summary: "x", leafUuid: "u" }, false],
  ])("answers for %j: %j", (entry, expected) => {
    expect(isNode(entry as Entry)).toBe(expected);
  });
});

describe("isMessage()", () => {
  test.each<[Entry, boolean]>([
    [user("x"), true],
    [assistant([]), true],
    [user(undefined), false],
    [user({ text: "x" }), false],
    [line({ type: "user", uuid: "u", message: null }), false],
    [{ type: "system", uuid: "u", parentUuid: null, content: "x" }, false],
  ])("answers for %j: %j", (entry, expected) => {
    expect(isMessage(entry)).toBe(expected);
    expect(isUser(entry) || isAssistant(entry)).toBe(expected);
  });
});

test("isCompactBoundary() and isCompactSummary() tell the two lines of a compaction", () => {
  const boundary: Entry = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
  const summary = user("This session is …", { isCompactSummary: true });
  expect([boundary, summary].map(isCompactBoundary)).toEqual([true, false]);
  expect([boundary, summary].map(isCompactSummary)).toEqual([false, true]);
});

test("blocksOf() turns a string into a text block and leaves out what is no block", () => {
  expect(blocksOf(user("x"))).toEqual([{ type: "text", text: "x" }]);
  expect(blocksOf(assistant([null, "x", [], { type: 5 }, { type: "new", a: 1 }]))).toEqual([
    { type: "new", a: 1 },
  ]);
  expect(blocksOf({ type: "summary", summary: "x" })).toEqual([]);
});

test("toolUsesOf() and toolResultsOf() give only whole blocks, from the side that may hold them", () => {
  const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };
  const content = [use, { type: "tool_use", id: 1, name: "x" }, result, { type: "tool_result" }];
  expect(toolUsesOf(assistant(content))).toEqual([use]);
  expect(toolUsesOf(user(content))).toEqual([]);
  expect(toolResultsOf(user(content))).toEqual([result]);
  expect(toolResultsOf(assistant(content))).toEqual([]);
});

test.each<[Entry, string]>([
  [user("plain"), "plain"],
  [
    assistant([
      { type: "thinking", thinking: "no" },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
    "a\nb",
  ],
  [user([{ type: "tool_result", tool_use_id: "t", content: "no" }]), ""],
  [user([{ type: "text", text: 5 }]), ""],
  [{ type: "system", uuid: "s", parentUuid: null, content: "recap" }, "recap"],
  [
    {
      type: "attachment",
      uuid: "q",
      parentUuid: "a",
      attachment: { type: "queued_command", prompt: "also" },
    },
    "also",
  ],
  [{ type: "attachment", uuid: "q", parentUuid: "a", attachment: { type: "file", content: "no" } }, ""],
  [{ type: "summary", summary: "no" }, ""],
])("textOf() of %j is %j", (entry, expected) => {
  expect(textOf(entry)).toBe(expected);
});

describe("isTypedPrompt()", () => {
  const image = { type: "image", source: { type: "base64", data: "" } };
  const opened = { type: "text", text: "<ide_opened_file>a.ts</ide_opened_file>" };

  test.each<[string, Entry]>([
    ["a plain string", user("fix the bug")],
    ["text blocks", user([{ type: "text", text: "fix the bug" }])],
    ["an image alone", user([image])],
    ["a prompt beside the editor's open file", user([opened, { type: "text", text: "fix this" }])],
    ["a prompt that mentions a tag", user("what does <task-notification> mean?")],
    ["a typed source", user("go", { promptSource: "typed", origin: { kind: "human" } })],
    ["a queued prompt", user("go", { promptSource: "queued" })],
    ["an SDK prompt of an unknown origin", user("go", { promptSource: "sdk", origin: { kind: "new" } })],
    ["a null origin", user("go", { origin: null })],
    ["a plan taken over", user("Implement the following plan: …", { planContent: "…" })],
  ])("is true of %s", (_name, entry) => {
    expect(isTypedPrompt(entry)).toBe(true);
  });

  test.each<[string, Entry]>([
    ["an assistant", assistant("x")],
    ["a tool result", user([{ type: "tool_result", tool_use_id: "t", content: "x" }])],
    [
      "a tool result with words",
      user([
        { type: "tool_result", tool_use_id: "t" },
        { type: "text", text: "no" },
      ]),
    ],
    ["a structured result", user("x", { toolUseResult: {} })],
    ["meta", user("Caveat: …", { isMeta: true })],
    ["a sub-agent's prompt", user("go", { isSidechain: true })],
    ["a skill's text", user([{ type: "text", text: "x" }], { sourceToolUseID: "toolu_1" })],
    [
      "what another session sent",
      user('Another Claude session sent a message:\n<teammate-message teammate_id="a">x</teammate-message>'),
    ],
    ["a marked compaction summary", user("x", { isCompactSummary: true })],
    [
      "an unmarked compaction summary",
      user("This session is being continued from a previous conversation that"),
    ],
    ["a system source", user("x", { promptSource: "system" })],
    ["a peer", user("x", { promptSource: "queued", origin: { kind: "peer" } })],
    ["a notification by origin", user("x", { origin: { kind: "task-notification" } })],
    ["a notification", user("<task-notification>\n<task-id>b1</task-id>\n</task-notification>")],
    ["a caveat", user("<local-command-caveat>x</local-command-caveat>")],
    ["a command", user("<command-name>/clear</command-name>")],
    ["a command's message", user("<command-message>x is running…</command-message>")],
    ["a command's output", user("\n <local-command-stdout></local-command-stdout>")],
    ["a shell line", user("<bash-input>ls</bash-input>")],
    ["a shell's output", user("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>")],
    ["a memory note", user("<user-memory-input>x</user-memory-input>")],
    ["a teammate", user('<teammate-message teammate_id="qa">x</teammate-message>')],
    ["a reminder", user("<system-reminder>x</system-reminder>")],
    ["an open file alone", user([opened])],
    ["an interruption", user([{ type: "text", text: "[Request interrupted by user]" }])],
    ["an interrupted tool", user([{ type: "text", text: "[Request interrupted by user for tool use]" }])],
    ["a placeholder", user("(no content)")],
    ["nothing", user("  \n")],
    ["no blocks", user([])],
    ["a title", { type: "ai-title", aiTitle: "x" }],
  ])("is false of %s", (_name, entry) => {
    expect(isTypedPrompt(entry)).toBe(false);
  });
});

test("promptTextOf() leaves out what the client put beside the prompt", () => {
  const entry = user([
    { type: "text", text: "<ide_selection>x</ide_selection>" },
    { type: "text", text: "fix this" },
    { type: "text", text: "and that\n" },
  ]);
  expect(isUser(entry) && promptTextOf(entry)).toBe("fix this\nand that");
});

test("every question has an answer, whatever JSON the line holds", () => {
  const type = fc.constantFrom("user", "assistant", "system", "attachment", "progress", "summary", "new");
  const anyLine = fc
    .tuple(
      type,
      fc.dictionary(
        fc.constantFrom("uuid", "parentUuid", "message", "attachment", "origin", "content", "subtype"),
        fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue() }), fc.string()),
      ),
    )
    .map(([name, keys]) => line(Object.assign(keys, { type: name })));
  fc.assert(
    fc.property(anyLine, (entry) => {
      expect(typeof textOf(entry)).toBe("string");
      expect(typeof isTypedPrompt(entry)).toBe("boolean");
      expect(Array.isArray(toolUsesOf(entry)) && Array.isArray(toolResultsOf(entry))).toBe(true);
    }),
  );
});
