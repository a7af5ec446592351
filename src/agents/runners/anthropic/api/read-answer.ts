import { APIError } from "@anthropic-ai/sdk";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { answerBlocksMax, answerLengthMax } from "./limits.ts";
import { isJsonObject } from "../../../../format/json-object.ts";
import { parseJson } from "../../../../lib/read-json.ts";
import type { AgentUsage, AssistantEvent, ContentPart, RunnerEvent } from "../../../../tasks/ports.ts";

/** A whole message of the model. */
export interface Answer {
  message: AssistantEvent["message"];
  /** Tool uses whose input is no JSON object, by id: what arrived of it. Their `input` is empty. */
  brokenInputs: ReadonlyMap<string, string>;
}

/** The stream failed or ended before the message did, or was not what the API sends. */
export class BrokenAnswer extends Error {}

/**
 * Puts a message together from its stream, telling its text as it comes. Whoever gets an answer has all of it: else it
 * throws a BrokenAnswer, or the API's own error when the stream says one. What it costs is told as soon as the server says it.
 */
export async function* readAnswer(
  stream: AsyncIterable<RawMessageStreamEvent>,
  onUsage: (usage: AgentUsage) => void,
): AsyncGenerator<RunnerEvent, Answer> {
  let message: AssistantEvent["message"] | undefined;
  const blocks: ContentPart[] = [];
  const inputs = new Map<number, string>();
  let length = 0;
  let isComplete = false;
  try {
    for await (const event of stream) {
      add(event);
      if (event.type === "content_block_delta" && event.delta.type === "text_delta")
        yield { kind: "delta", text: event.delta.text };
    }
  } catch (cause) {
    if (cause instanceof APIError || cause instanceof BrokenAnswer) throw cause;
    throw new BrokenAnswer((cause as Error).message, { cause });
  }
  if (!message || !isComplete) throw new BrokenAnswer("the stream ended before the message did");
  const brokenInputs = new Map<string, string>();
  blocks.forEach((block, index) => {
    if (block.type !== "tool_use") return;
    const text = inputs.get(index) ?? "";
    const input = text === "" ? block["input"] : parseJson(text);
    block["input"] = isJsonObject(input) ? input : {};
    if (!isJsonObject(input)) brokenInputs.set(String(block["id"]), text);
  });
  return { message, brokenInputs };

  function add(event: RawMessageStreamEvent): void {
    if (event.type === "message_start") {
      if (message) throw new BrokenAnswer("the stream begins a second message");
      const { id, model, usage } = event.message;
      message = {
        id,
        model,
        role: "assistant",
        type: "message",
        content: blocks,
        stop_reason: null,
        stop_sequence: null,
        usage: withoutNulls(usage),
      };
      onUsage(message.usage);
    } else if (event.type === "content_block_start") {
      begin(event.index, event.content_block);
    } else if (event.type === "content_block_delta") {
      extend(event.index, event.delta);
    } else if (event.type === "message_delta" && message) {
      message.stop_reason = event.delta.stop_reason;
      message.stop_sequence = event.delta.stop_sequence;
      Object.assign(message.usage, withoutNulls(event.usage));
    } else if (event.type === "message_stop") isComplete = true;
  }

  // They come one after the other, so an index is what is there already: any other would be a place to fill up to.
  function begin(index: number, block: object): void {
    if (index !== blocks.length || index >= answerBlocksMax)
      throw new BrokenAnswer(
        `the stream begins block ${JSON.stringify(index)} after ${blocks.length} blocks`,
      );
    grow(JSON.stringify(block));
    blocks.push({ ...block } as ContentPart);
  }

  function extend(
    index: number,
    delta: Extract<RawMessageStreamEvent, { type: "content_block_delta" }>["delta"],
  ): void {
    const block = blocks[index];
    if (!block) throw new BrokenAnswer("the stream continues a block that it did not begin");
    const append = (key: string, text: string): void => {
      grow(text);
      block[key] = `${(block[key] as string | undefined) ?? ""}${text}`;
    };
    if (delta.type === "text_delta") append("text", delta.text);
    else if (delta.type === "thinking_delta") append("thinking", delta.thinking);
    else if (delta.type === "signature_delta") append("signature", delta.signature);
    else if (delta.type === "input_json_delta") {
      grow(delta.partial_json);
      inputs.set(index, `${inputs.get(index) ?? ""}${delta.partial_json}`);
    } else if (delta.type === "citations_delta") {
      grow(JSON.stringify(delta.citation));
      block["citations"] = [...((block["citations"] as unknown[] | null | undefined) ?? []), delta.citation];
    }
  }

  function grow(text: string): void {
    if (typeof text !== "string") throw new BrokenAnswer("the stream holds something else than text");
    length += text.length;
    if (length > answerLengthMax)
      throw new BrokenAnswer(`the answer has more than ${answerLengthMax} characters`);
  }
}

// The API says null for what it does not count; in a transcript such keys are absent.
function withoutNulls(usage: object): AssistantEvent["message"]["usage"] {
  return Object.fromEntries(
    Object.entries(usage).filter(([, value]) => value !== null),
  ) as AssistantEvent["message"]["usage"];
}
