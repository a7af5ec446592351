import { expect, test } from "vitest";
import type { Entry } from "../../format/index.ts";
import { readConversationEnd } from "./prompt-entries.ts";

let made = 0;
const entry = (type: "user" | "assistant", content: unknown, more: object = {}): Entry =>
  ({
    type,
    uuid: `uuid-${++made}`,
    parentUuid: null,
    timestamp: "2026-11-16T00:00:00.000Z",
    message: { role: type, content, ...more },
  }) as Entry;
const text = (words: string): object[] => [{ type: "text", text: words }];
const use = (id: string): Entry => entry("assistant", [{ type: "tool_use", id, name: "Read", input: {} }]);
const result = (id: string): Entry => entry("user", [{ type: "tool_result", tool_use_id: id, content: "x" }]);
const answer = (words: string): Entry =>
  entry("assistant", text(words), { id: "m", stop_reason: "end_turn" });

test.each([
  ["a prompt", [entry("user", "Go")], { said: "Go" }],
  ["nothing", [], {}],
  ["an answer", [entry("user", "Go"), answer("Yes")], { isAnswered: true, answer: text("Yes") }],
  [
    "an answer in two lines",
    [answer("Yes"), answer("No")],
    { isAnswered: true, answer: [...text("Yes"), ...text("No")] },
  ],
  ["a prompt behind an answer", [answer("Yes"), entry("user", text("Why?"))], { said: "Why?" }],
  ["half a message", [entry("assistant", text("I wi"), { stop_reason: null })], { isUnfinished: true }],
  ["a result", [use("t1"), result("t1")], {}],
  ["a message behind a result", [use("t1"), result("t1"), entry("user", "Hurry")], { said: "Hurry" }],
])("readConversationEnd() of %s", (_, entries, expected) => {
  expect(readConversationEnd(entries)).toEqual({
    interrupted: [],
    isAnswered: false,
    answer: [],
    isUnfinished: false,
    said: undefined,
    ...expected,
  });
});

test("readConversationEnd() tells that tools without a result were interrupted, each once", () => {
  const asked = [use("t1"), use("t2"), result("t1"), use("t3")];
  const end = readConversationEnd(asked);
  expect(end).toMatchObject({ isAnswered: false, isUnfinished: false });
  expect(end.interrupted).toMatchObject([
    { message: { content: [{ tool_use_id: "t2", is_error: true }] } },
    { message: { content: [{ tool_use_id: "t3", is_error: true }] } },
  ]);
});
