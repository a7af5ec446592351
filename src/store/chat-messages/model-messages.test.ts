import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock, requireSharedCorpus } from "../../../test/support/index.ts";
import { readConversation } from "../read/conversation.ts";
import { toAnthropicMessages } from "./to-anthropic-messages.ts";
import type { EntryContext } from "./from-anthropic-messages.ts";
import { fromModelMessages } from "./from-model-messages.ts";
import type { ModelMessage, ModelMessageInput } from "./model-message.ts";
import { toModelMessages } from "./to-model-messages.ts";

const PNG = "iVBORw0KGgoAAAA=";

function contextOf(): EntryContext {
  let count = 0;
  return {
    sessionId: "s",
    cwd: "/work",
    version: "0.1.0",
    clock: fakeClock(),
    newUuid: () => `uuid-${++count}`,
  };
}

/** Into a transcript and out of it again. */
function roundTrip(messages: readonly unknown[]): ModelMessage[] {
  return toModelMessages(fromModelMessages(messages as ModelMessageInput[], contextOf()));
}

describe("toModelMessages()", () => {
  it("gives back every part that a transcript can hold", () => {
    const messages: ModelMessage[] = [
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image", image: PNG, mediaType: "image/png" },
          { type: "image", image: "https://example.com/a.png" },
          { type: "file", data: "JVBERi0=", mediaType: "application/pdf", filename: "a.pdf" },
          { type: "file", data: Buffer.from("notes").toString("base64"), mediaType: "text/plain" },
          { type: "file", data: "https://example.com/a.pdf", mediaType: "application/pdf" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "sig" } } },
          { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "xyz" } } },
          { type: "text", text: "I look" },
          { type: "tool-call", toolCallId: "call_1", toolName: "Read", input: { file: "a" } },
          { type: "tool-call", toolCallId: "call_2", toolName: "Bash", input: {} },
          { type: "tool-call", toolCallId: "call_3", toolName: "Bash", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call_1",
            toolName: "Read",
            output: {
              type: "content",
              value: [
                { type: "text", text: "seen" },
                { type: "image-data", data: PNG, mediaType: "image/png" },
                { type: "image-url", url: "https://example.com/b.png" },
                { type: "file-data", data: "JVBERi0=", mediaType: "application/pdf", filename: "b.pdf" },
                { type: "file-url", url: "https://example.com/b.pdf", mediaType: "application/pdf" },
              ],
            },
          },
          {
            type: "tool-result",
            toolCallId: "call_2",
            toolName: "Bash",
            output: { type: "error-text", value: "failed" },
          },
          {
            type: "tool-result",
            toolCallId: "call_3",
            toolName: "Bash",
            output: { type: "text", value: "" },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "And?" }] },
      { role: "assistant", content: [{ type: "text", text: "Done" }] },
    ];
    expect(roundTrip(messages)).toEqual(messages);
  });

  it("answers every call of every conversation of the corpus in the next message, by its name", async (test) => {
    const corpus = requireSharedCorpus(test);
    const files = fs
      .readdirSync(corpus, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"));
    for (const name of files) {
      const { entries } = await readConversation(path.join(corpus, name));
      const messages = toModelMessages(entries);
      messages.forEach((message, index) => {
        const calls =
          message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : [];
        const next = messages[index + 1];
        const results = next?.role === "tool" ? next.content : [];
        const named = (parts: readonly { toolCallId: string; toolName: string }[]) =>
          parts.map((part) => `${part.toolCallId} ${part.toolName}`);
        expect({ name, index, answered: message.role === "assistant" ? named(results) : [] }).toEqual({
          name,
          index,
          answered: named(calls),
        });
      });
      const again = toModelMessages(fromModelMessages(messages, contextOf()));
      expect(again).toEqual(messages);
      expect(toAnthropicMessages(fromModelMessages(messages, contextOf())).length).toBe(
        toAnthropicMessages(entries).length,
      );
    }
  });
});

describe("fromModelMessages()", () => {
  const png = Buffer.from(PNG, "base64");
  it.each([
    ["bytes", { type: "image", image: new Uint8Array(png) }],
    ["an array buffer", { type: "image", image: Uint8Array.from(png).buffer }],
    ["a data URL", { type: "image", image: new URL(`data:image/png;base64,${PNG}`) }],
    ["a file", { type: "file", data: PNG, mediaType: "image/*" }],
    ["data of version 7", { type: "file", data: { type: "data", data: PNG }, mediaType: "image/png" }],
  ])("takes an image as %s", (_, part) => {
    expect(roundTrip([{ role: "user", content: [part] }])).toEqual([
      { role: "user", content: [{ type: "image", image: PNG, mediaType: "image/png" }] },
    ]);
  });

  it.each([
    ["inline text", { type: "file", data: { type: "text", text: "notes" }, mediaType: "text/markdown" }],
    ["an escaped data URL", { type: "file", data: "data:text/plain,not%65s", mediaType: "text/plain" }],
  ])("takes a text file as %s", (_, part) => {
    expect(roundTrip([{ role: "user", content: [part] }])).toEqual([
      {
        role: "user",
        content: [{ type: "file", data: Buffer.from("notes").toString("base64"), mediaType: "text/plain" }],
      },
    ]);
  });

  it.each([
    [
      { type: "json", value: { a: [1] } },
      { type: "text", value: '{"a":[1]}' },
    ],
    [
      { type: "error-json", value: { a: 1 } },
      { type: "error-text", value: '{"a":1}' },
    ],
    [
      { type: "execution-denied", reason: "No" },
      { type: "error-text", value: "No" },
    ],
    [{ type: "execution-denied" }, { type: "error-text", value: "Execution denied" }],
    [
      { type: "content", value: [{ type: "media", data: PNG, mediaType: "image/png" }] },
      { type: "content", value: [{ type: "image-data", data: PNG, mediaType: "image/png" }] },
    ],
    [
      { type: "content", value: [{ type: "custom" }] },
      { type: "text", value: "" },
    ],
  ])("takes the output %j", (given, output) => {
    const call = { type: "tool-call", toolCallId: "c", toolName: "T", input: {} };
    const messages = roundTrip([
      { role: "user", content: "Go" },
      { role: "assistant", content: [call] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "T", output: given }] },
    ]);
    expect(messages[2]).toEqual({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "T", output }],
    });
  });

  it("puts results of tools that the provider ran behind the message, and leaves out approvals and unsigned thoughts", () => {
    const call = {
      type: "tool-call",
      toolCallId: "c",
      toolName: "search",
      input: {},
      providerExecuted: true,
    };
    const result = {
      type: "tool-result",
      toolCallId: "c",
      toolName: "search",
      output: { type: "text", value: "found" },
    };
    const messages = roundTrip([
      { role: "system", content: "Be brief" },
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm" },
          call,
          result,
          { type: "tool-approval-request", approvalId: "a", toolCallId: "c" },
        ],
      },
      { role: "assistant", content: "Found it" },
    ]);
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>\nBe brief\n</system-reminder>" },
          { type: "text", text: "Go" },
        ],
      },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "search", input: {} }] },
      { role: "tool", content: [result] },
      { role: "assistant", content: [{ type: "text", text: "Found it" }] },
    ]);
  });

  it("becomes the same messages again, whatever the messages", () => {
    const text = fc.string({ maxLength: 5 });
    const toolCallId = fc.constantFrom("c1", "c2", "c:3");
    const part = fc.oneof(
      fc.record({ type: fc.constant("text"), text }),
      fc.record({
        type: fc.constant("reasoning"),
        text,
        providerOptions: fc.constantFrom({ anthropic: { signature: "s" } }, undefined, { other: {} }),
      }),
      fc.record({
        type: fc.constant("tool-call"),
        toolCallId,
        toolName: fc.constant("T"),
        input: fc.jsonValue(),
      }),
      fc.record({
        type: fc.constant("tool-result"),
        toolCallId,
        toolName: fc.constant("T"),
        output: fc.record({
          type: fc.constantFrom("text", "json", "error-text", "content", "odd"),
          value: fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }))),
        }),
      }),
      fc.record({
        type: fc.constantFrom("file", "image", "odd"),
        data: text,
        image: text,
        mediaType: fc.constantFrom("image/png", "text/plain", "x/y", undefined),
      }),
    );
    const message = fc.record({
      role: fc.constantFrom("system", "user", "assistant", "tool"),
      content: fc.oneof(text, fc.array(part, { maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const once = roundTrip(messages);
        expect(roundTrip(once)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});
