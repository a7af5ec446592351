import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireSharedCorpus, TranscriptBuilder, type SampleEntry } from "../../../test/support/index.ts";
import type { Entry } from "../../format/index.ts";
import { readConversation } from "../read/conversation.ts";
import type { AnthropicMessage } from "./anthropic-message.ts";
import { GrowingMessages, toAnthropicMessages } from "./to-anthropic-messages.ts";

function convert(entries: readonly SampleEntry[]): AnthropicMessage[] {
  return toAnthropicMessages(entries as readonly unknown[] as readonly Entry[]);
}

function user(...content: unknown[]): unknown {
  return {
    role: "user",
    content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
  };
}

function assistant(...content: unknown[]): unknown {
  return { ...(user(...content) as object), role: "assistant" };
}

/** The rules of the Messages API, reckoned apart from the code that keeps them: what is broken, in words. */
function violations(messages: readonly AnthropicMessage[]): string[] {
  const found: string[] = [];
  const asked = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role !== (index % 2 === 0 ? "user" : "assistant"))
      found.push(`${index}: role ${message.role}`);
    if (message.content.length === 0) found.push(`${index}: empty`);
    const before = index === 0 ? undefined : messages[index - 1];
    const uses = before?.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) ?? [];
    const answers = message.content.flatMap((block) =>
      block.type === "tool_result" ? [block.tool_use_id] : [],
    );
    if (message.role === "user" && [...uses].sort().join() !== [...answers].sort().join()) {
      found.push(`${index}: uses ${uses.join()} answered by ${answers.join()}`);
    }
    const firstOther = message.content.findIndex(({ type }) => type !== "tool_result");
    if (firstOther >= 0 && firstOther < answers.length) found.push(`${index}: results are not first`);
    if (message.content.at(-1)?.type.endsWith("thinking") && message.role === "assistant")
      found.push(`${index}: ends in thinking`);
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() === "") found.push(`${index}: blank text`);
      if (block.type === "thinking" && block.signature === "") found.push(`${index}: unsigned thinking`);
      if (block.type === "tool_result" && block.is_error && !block.content)
        found.push(`${index}: error without text`);
      if (block.type !== "tool_use") continue;
      if (asked.has(block.id) || !/^[\w-]+$/.test(block.id)) found.push(`${index}: id ${block.id}`);
      asked.add(block.id);
    }
  });
  // A use in the last message would have no message behind it.
  if (messages.at(-1)?.content.some(({ type }) => type === "tool_use")) found.push("the last message asks");
  return found;
}

describe("toAnthropicMessages()", () => {
  it("joins split messages, and answers parallel tool uses in one message", () => {
    const transcript = new TranscriptBuilder();
    transcript.prompt("Go");
    const [thinking] = transcript.reply(
      { type: "thinking", thinking: "Hm", signature: "sig", extra: 1 },
      "On it",
    );
    const { uses } = transcript.callTools(
      { name: "Read", input: { file_path: "/a" }, result: "A" },
      { name: "Bash", input: { command: "ls" }, result: "B" },
    );
    const [a, b] = uses.map((use) => (use.message!.content as { id: string }[])[0]!.id);
    // The client writes the first result before the second use.
    const [first, , , use1, use2, result1, result2] = transcript.entries;
    const entries = [first!, thinking!, transcript.entries[2]!, use1!, result1!, use2!, result2!];
    for (const entry of [use1!, use2!]) entry.message!.id = thinking!.message!.id!;
    expect(convert(entries)).toEqual([
      user("Go"),
      assistant(
        { type: "thinking", thinking: "Hm", signature: "sig" },
        "On it",
        { type: "tool_use", id: a, name: "Read", input: { file_path: "/a" } },
        { type: "tool_use", id: b, name: "Bash", input: { command: "ls" } },
      ),
      user(
        { type: "tool_result", tool_use_id: a, content: "A" },
        { type: "tool_result", tool_use_id: b, content: "B" },
      ),
    ]);
  });

  it("answers an interrupted use with an error, and leaves orphan and second results out", () => {
    const transcript = new TranscriptBuilder();
    transcript.prompt("Go");
    transcript.reply(
      { type: "tool_use", id: "toolu_1", name: "Bash" },
      { type: "tool_use", id: "toolu_2", name: "Bash", input: 7 },
    );
    const answer = (id: string, content: unknown, rest: object = {}) =>
      transcript.prompt("", {
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, ...rest }] },
      });
    answer("toolu_2", "first");
    answer("toolu_2", "second");
    answer("toolu_9", "orphan");
    transcript.prompt("[Request interrupted by user]");
    expect(convert(transcript.entries)).toEqual([
      user("Go"),
      assistant(
        { type: "tool_use", id: "toolu_1", name: "Bash", input: {} },
        { type: "tool_use", id: "toolu_2", name: "Bash", input: { value: 7 } },
      ),
      user(
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: "Interrupted: the tool was called, but no result of it was recorded",
          is_error: true,
        },
        { type: "tool_result", tool_use_id: "toolu_2", content: "first" },
        "[Request interrupted by user]",
      ),
    ]);
  });

  it("keeps summaries, queued prompts, notices and local commands as user text, and merges user turns", () => {
    const transcript = new TranscriptBuilder();
    transcript.compact("Summary of before");
    transcript.queue("enqueue", "Typed meanwhile");
    transcript.queue("remove");
    const attach = (attachment: object) =>
      transcript.prompt("", {
        type: "attachment",
        message: undefined,
        attachment,
      } as unknown as Partial<SampleEntry>);
    attach({ type: "queued_command", prompt: [{ type: "text", text: "Queued" }], commandMode: "prompt" });
    attach({
      type: "queued_command",
      prompt: "<task-notification>x</task-notification>",
      commandMode: "task-notification",
    });
    attach({ type: "skill_listing", content: "not shown" });
    transcript.system("local_command", { content: "<local-command-stdout>out</local-command-stdout>" });
    transcript.system("informational", { content: "not shown" });
    transcript.progress({ type: "hook_progress" });
    expect(convert(transcript.entries)).toEqual([
      user(
        "Summary of before",
        "Typed meanwhile",
        "Queued",
        "<task-notification>x</task-notification>",
        "<local-command-stdout>out</local-command-stdout>",
      ),
    ]);
  });

  it("leaves out what the API refuses", () => {
    const transcript = new TranscriptBuilder();
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AAAA" },
      cache_control: {},
    };
    const result = (content: unknown, rest: object = {}) => ({
      type: "tool_result",
      tool_use_id: "call:1.2",
      content,
      ...rest,
    });
    transcript.prompt("", {
      message: {
        role: "user",
        content: [
          { type: "text", text: " \n" },
          { type: "text", text: "See", cache_control: {}, citations: null },
          image,
          { type: "image", source: { type: "base64", media_type: "image/bmp", data: "AAAA" } },
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "doc" },
            title: "T",
            context: null,
          },
          { type: "novel" },
          "no block",
        ],
      },
    });
    transcript.reply(
      { type: "thinking", thinking: "unsigned" },
      { type: "redacted_thinking", data: "xyz" },
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "tool_use", id: "call:1.2", name: "Read", input: {}, caller: { type: "direct" } },
      { type: "thinking", thinking: "cut off", signature: "sig" },
    );
    transcript.prompt("", {
      message: {
        role: "user",
        content: [
          result([
            { type: "text", text: "" },
            { type: "text", text: "ok" },
            image,
            { type: "tool_reference", tool_name: "Edit" },
          ]),
        ],
      },
    });
    transcript.prompt("ignored", { isSidechain: false, message: { role: "user", content: "\n" } });
    const [error] = transcript.reply("API Error: 500");
    error!["isApiErrorMessage"] = true;
    expect(convert(transcript.entries)).toEqual([
      user(
        "See",
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "doc" }, title: "T" },
      ),
      assistant(
        { type: "redacted_thinking", data: "xyz" },
        { type: "tool_use", id: "call_1_2", name: "Read", input: {} },
      ),
      user({
        type: "tool_result",
        tool_use_id: "call_1_2",
        content: [
          { type: "text", text: "ok" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "text", text: "Tool Edit is available" },
        ],
      }),
    ]);
  });

  it.each([
    ["text", "failed", "failed"],
    ["nothing", undefined, "The tool failed and said nothing"],
    [
      "blocks",
      [
        { type: "text", text: "a" },
        { type: "image", source: {} },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
  ])("gives a failed result of %s as text", (_, content, text) => {
    const transcript = new TranscriptBuilder();
    transcript.reply({ type: "tool_use", id: "t", name: "Bash", input: {} });
    const block = { type: "tool_result", tool_use_id: "t", content, is_error: true };
    transcript.prompt("", { message: { role: "user", content: [block] } });
    expect(convert(transcript.entries).at(-1)).toEqual(
      user({ type: "tool_result", tool_use_id: "t", content: text, is_error: true }),
    );
  });

  it("begins with a user message where the transcript does not", () => {
    const transcript = new TranscriptBuilder();
    transcript.reply("Hello");
    expect(convert(transcript.entries)).toEqual([
      user("(The beginning of this conversation is not in its transcript.)"),
      assistant("Hello"),
    ]);
  });

  it("is empty for a conversation without messages", () => {
    expect(convert([])).toEqual([]);
  });

  it("never breaks a rule of the API, whatever the entries, also when they come in two pieces", () => {
    const id = fc.constantFrom("toolu_1", "toolu_2", "toolu:3", "toolu_4");
    const text = fc.constantFrom("", " ", "a", "b\n");
    const block = fc.oneof(
      fc.record({ type: fc.constant("text"), text }),
      fc.record({ type: fc.constant("thinking"), thinking: text, signature: fc.constantFrom("", "sig") }),
      fc.record({
        type: fc.constant("tool_use"),
        id,
        name: fc.constant("Bash"),
        input: fc.constantFrom({}, null, "x"),
      }),
      fc.record({
        type: fc.constant("tool_result"),
        tool_use_id: id,
        content: fc.oneof(
          text,
          fc.constant(undefined),
          fc.array(fc.record({ type: fc.constantFrom("text", "image", "odd"), text })),
        ),
        is_error: fc.constantFrom(true, false, undefined),
      }),
      fc.constantFrom({ type: "image" }, { type: "novel" }, null, 7),
    );
    const entry = fc.record({
      type: fc.constantFrom("user", "assistant", "user", "assistant", "system", "progress"),
      uuid: fc.uuid(),
      parentUuid: fc.constant(null),
      message: fc.record({
        id: fc.constantFrom("msg_1", "msg_2", "msg_3", undefined),
        content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
      }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.nat(12), (sample, cut) => {
        const entries = sample as unknown as Entry[];
        expect(violations(toAnthropicMessages(entries))).toEqual([]);
        const growing = new GrowingMessages();
        growing.add(entries.slice(0, cut));
        growing.add(entries.slice(cut));
        expect(violations(growing.messages)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("breaks no rule of the API for any file of the corpus, and loses no text of its conversation", async (test) => {
    const corpus = requireSharedCorpus(test);
    const files = fs
      .readdirSync(corpus, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"));
    expect(files.length).toBeGreaterThan(50);
    for (const name of files) {
      for (const mode of ["full", "context"] as const) {
        const { entries } = await readConversation(path.join(corpus, name), { mode });
        const messages = toAnthropicMessages(entries);
        expect({ name, mode, violations: violations(messages) }).toEqual({ name, mode, violations: [] });
        const sent = new Set(
          messages.flatMap(({ content }) =>
            content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
          ),
        );
        expect({ name, mode, lost: typedTexts(entries).filter((text) => !sent.has(text)) }).toEqual({
          name,
          mode,
          lost: [],
        });
      }
    }
  });
});

describe("GrowingMessages", () => {
  it("gives the same messages as the whole conversation, and leaves those alone that it gave before", () => {
    const transcript = new TranscriptBuilder();
    const growing = new GrowingMessages();
    let added = 0;
    const turn = (said: () => void): void => {
      const [before, copy] = [[...growing.messages], structuredClone(growing.messages)];
      said();
      growing.add(transcript.entries.slice(added) as unknown[] as Entry[]);
      added = transcript.entries.length;
      expect(growing.messages).toEqual(convert(transcript.entries));
      expect(before).toEqual(copy);
    };
    turn(() => transcript.prompt("Go"));
    turn(() => {
      transcript.callTools(
        { name: "Read", input: {}, result: "A" },
        { name: "Bash", input: {}, result: "B" },
      );
      transcript.reply("Done");
      transcript.prompt("Go on");
    });
    // The query failed, so the next prompt belongs to the same message.
    turn(() => transcript.prompt("Once more"));
    turn(() => {
      transcript.reply({ type: "tool_use", id: "toolu_interrupted", name: "Bash", input: {} });
      transcript.prompt("[Request interrupted by user]");
      transcript.prompt("Something else");
    });
  });
});

function typedTexts(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const { type, message, isApiErrorMessage } = entry as unknown as SampleEntry;
    if ((type !== "user" && type !== "assistant") || isApiErrorMessage === true) return [];
    const { content } = message!;
    const blocks = Array.isArray(content)
      ? (content as { type: string; text?: string }[])
      : [{ type: "text", text: String(content) }];
    return blocks.flatMap((block) =>
      block.type === "text" && block.text!.trim() !== "" ? [block.text!] : [],
    );
  });
}
