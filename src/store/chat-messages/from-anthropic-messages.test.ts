import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/support/index.ts";
import { parseEntry } from "../../format/entries/entry.ts";
import type { AnthropicMessageInput } from "./anthropic-message.ts";
import { fromAnthropicMessages, type EntryContext } from "./from-anthropic-messages.ts";
import { toAnthropicMessages } from "./to-anthropic-messages.ts";

function contextOf(extra: Partial<EntryContext> = {}): EntryContext {
  let count = 0;
  const newUuid = () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`;
  return { sessionId: "s", cwd: "/work", version: "0.1.0", clock: fakeClock(), newUuid, ...extra };
}

describe("fromAnthropicMessages()", () => {
  it("writes one line a block and a result, chained, with one id for each assistant message", () => {
    const entries = fromAnthropicMessages(
      [
        { role: "user", content: "Go" },
        {
          role: "assistant",
          id: "msg_1",
          model: "claude-x",
          stop_reason: "tool_use",
          usage: { output_tokens: 5 },
          content: [
            { type: "text", text: "On it" },
            { type: "tool_use", id: "toolu_1", name: "Bash", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: "ok" },
            { type: "text", text: "And?" },
          ],
        },
        { role: "assistant", content: "Done" },
      ],
      contextOf({ parentUuid: "before", gitBranch: "main" }),
    );
    const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
    const envelope = (count: number, parentUuid = uuid(count - 1)) => ({
      parentUuid,
      isSidechain: false,
      uuid: uuid(count),
      timestamp: "2026-01-02T03:04:05.000Z",
      userType: "external",
      cwd: "/work",
      sessionId: "s",
      version: "0.1.0",
      gitBranch: "main",
    });
    const line = {
      model: "claude-x",
      id: "msg_1",
      type: "message",
      role: "assistant",
      stop_sequence: null,
      usage: { output_tokens: 5 },
    };
    expect(entries).toEqual([
      { type: "user", ...envelope(1, "before"), message: { role: "user", content: "Go" } },
      {
        type: "assistant",
        ...envelope(2),
        message: { ...line, stop_reason: null, content: [{ type: "text", text: "On it" }] },
      },
      {
        type: "assistant",
        ...envelope(3),
        message: {
          ...line,
          stop_reason: "tool_use",
          content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: {} }],
        },
      },
      {
        type: "user",
        ...envelope(4),
        sourceToolAssistantUUID: uuid(3),
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "ok" }] },
      },
      { type: "user", ...envelope(5), message: { role: "user", content: [{ type: "text", text: "And?" }] } },
      {
        type: "assistant",
        ...envelope(7, uuid(5)),
        message: {
          id: "msg_00000000000040008000000000000006",
          type: "message",
          role: "assistant",
          content: [{ type: "text", text: "Done" }],
          stop_reason: null,
          stop_sequence: null,
        },
      },
    ]);
  });

  it("marks a sub-agent's entries, and system messages as injected text", () => {
    const entries = fromAnthropicMessages(
      [{ role: "system", content: "Be brief" }],
      contextOf({ agentId: "a1" }),
    );
    expect(entries).toMatchObject([
      {
        parentUuid: null,
        isSidechain: true,
        agentId: "a1",
        isMeta: true,
        message: { content: "<system-reminder>\nBe brief\n</system-reminder>" },
      },
    ]);
  });

  it("makes valid entries that become the same messages again, whatever the messages", () => {
    const text = fc.string({ maxLength: 5 });
    const id = fc.constantFrom("toolu_1", "toolu_2", "toolu:3");
    const block = fc.oneof(
      fc.record({ type: fc.constant("text"), text }),
      fc.record({ type: fc.constant("thinking"), thinking: text, signature: text }),
      fc.record({ type: fc.constant("redacted_thinking"), data: text }),
      fc.record({
        type: fc.constant("tool_use"),
        id,
        name: fc.constant("Bash"),
        input: fc.dictionary(text, fc.jsonValue()),
      }),
      fc.record({ type: fc.constant("tool_result"), tool_use_id: id, content: text, is_error: fc.boolean() }),
      fc.record({
        type: fc.constant("image"),
        source: fc.constant({ type: "base64", media_type: "image/png", data: "AAAA" }),
      }),
    );
    const message = fc.record({
      role: fc.constantFrom("user", "assistant", "user", "assistant", "system"),
      content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const entries = fromAnthropicMessages(messages as AnthropicMessageInput[], contextOf());
        expect(entries.map(parseEntry).filter(({ ok }) => !ok)).toEqual([]);
        const once = toAnthropicMessages(entries);
        const twice = toAnthropicMessages(fromAnthropicMessages(once, contextOf()));
        expect(twice).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});
