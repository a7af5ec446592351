import { expect, test } from "vitest";
import type { RunnerMessage } from "../../tasks/ports.ts";
import { promptTexts, retellConversation } from "./retell-conversation.ts";

const conversation: RunnerMessage[] = [
  { role: "user", content: "Look" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm", signature: "" },
      { type: "text", text: "I do" },
      { type: "tool_use", id: "t", name: "Read", input: { file_path: "a" } },
    ],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "text of a" }] }],
  },
  { role: "user", content: "Go on" },
];

test("retellConversation() tells all but the last message, tools with their results", () => {
  expect(retellConversation(conversation)).toBe(
    [
      "This conversation was interrupted. What was said so far:",
      "User: Look",
      'You: I do\n[used Read: {"file_path":"a"}]',
      "User: [result: text of a]",
    ].join("\n\n"),
  );
});

test("retellConversation() has nothing to tell of a conversation that begins", () => {
  expect(retellConversation([{ role: "user", content: "Look" }])).toBeUndefined();
});

test("retellConversation() keeps the newest part of a long one", () => {
  const long: RunnerMessage[] = [{ role: "user", content: "x".repeat(100) }, ...conversation];
  const told = retellConversation(long, { lengthMax: 100 });
  expect(told).toContain("[What came before is left out]");
  expect(told).toContain("User: Look");
  expect(told).not.toContain("xxx");
});

test("promptTexts() leaves out what there is not", () => {
  const begun = [{ role: "user" as const, content: "Go" }];
  expect(promptTexts({ messages: begun, prompt: "Go" })).toEqual(["Go"]);
  expect(promptTexts({ systemPrompt: "", messages: begun, prompt: "Go" })).toEqual(["Go"]);
  const earlier = retellConversation(conversation)!;
  expect(promptTexts({ systemPrompt: "S", messages: conversation, prompt: "Go" })).toEqual([
    "S",
    earlier,
    "Go",
  ]);
});
