import { randomUUID } from "node:crypto";
import type { AssistantEvent, ContentPart, UserEvent } from "../tasks/ports.ts";

export interface ForeignToolUse {
  name: string;
  input: Record<string, unknown>;
}

export interface ForeignToolResult {
  content: string | ContentPart[];
  isError?: boolean;
}

/**
 * Makes transcript events for an agent that does not speak the Messages API. Its tool calls get ids of our own, because
 * such agents count from one again in every session. A tool use is told once and so is its result, whatever the agent
 * repeats; blocks share a message until a result comes between, as they do in the API.
 */
export class TranscriptEvents {
  readonly #model: string;
  #messageId: string | undefined;
  readonly #toolUseIds = new Map<string, string>();
  readonly #open = new Set<string>();

  constructor(model: string) {
    this.#model = model;
  }

  say(part: ContentPart): AssistantEvent {
    const isToolUse = part.type === "tool_use";
    this.#messageId ??= newId("msg");
    return {
      kind: "assistant",
      message: {
        id: this.#messageId,
        model: this.#model,
        role: "assistant",
        type: "message",
        content: [part],
        stop_reason: isToolUse ? "tool_use" : "end_turn",
        stop_sequence: null,
        // Such agents tell their usage apart from messages, if at all.
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    };
  }

  /** The id that the transcript knows a call under, before or after it was told. */
  toolUseId(callId: string): string {
    const known = this.#toolUseIds.get(callId);
    if (known !== undefined) return known;
    const id = newId("toolu");
    this.#toolUseIds.set(callId, id);
    return id;
  }

  useTool(callId: string, { name, input }: ForeignToolUse): AssistantEvent {
    this.#open.add(callId);
    return this.say({ type: "tool_use", id: this.toolUseId(callId), name, input });
  }

  /** Undefined when the call has its result already, or was never told. */
  giveResult(callId: string, { content, isError = false }: ForeignToolResult): UserEvent | undefined {
    if (!this.#open.delete(callId)) return undefined;
    this.#messageId = undefined;
    const result = { type: "tool_result", tool_use_id: this.toolUseId(callId), content };
    return {
      kind: "user",
      message: { role: "user", content: [isError ? { ...result, is_error: true } : result] },
    };
  }

  /** Results for the calls that never got one: a transcript with an open tool use cannot be continued. */
  closeOpen(reason: string): UserEvent[] {
    return [...this.#open].flatMap(
      (callId) => this.giveResult(callId, { content: reason, isError: true }) ?? [],
    );
  }

  /** What somebody says next begins a new message of the agent. */
  hear(text: string): UserEvent {
    this.#messageId = undefined;
    return { kind: "user", message: { role: "user", content: text } };
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
