import { randomUUID } from "node:crypto";
import type { AssistantEvent, ContentPart, UserEvent } from "../../tasks/ports.ts";

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
  readonly #told = new Set<string>();
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

  isTold(callId: string): boolean {
    return this.#told.has(callId);
  }

  /** Nothing when the call was told already. */
  useTool(callId: string, { name, input }: ForeignToolUse): AssistantEvent[] {
    if (this.#told.has(callId)) return [];
    this.#told.add(callId);
    this.#open.add(callId);
    return [this.say({ type: "tool_use", id: this.toolUseId(callId), name, input })];
  }

  /** Nothing when the call has its result already, or was never told. */
  giveResult(callId: string, { content, isError = false }: ForeignToolResult): UserEvent[] {
    if (!this.#open.delete(callId)) return [];
    this.#messageId = undefined;
    const result = { type: "tool_result", tool_use_id: this.toolUseId(callId), content };
    return [
      {
        kind: "user",
        message: { role: "user", content: [isError ? { ...result, is_error: true } : result] },
      },
    ];
  }

  /**
   * The turn is over: results for the calls that never got one, because a transcript with an open tool use cannot be
   * continued. The agent may use its ids again.
   */
  endTurn(reason: string): UserEvent[] {
    const open = [...this.#open];
    const results = open.flatMap((callId) => this.giveResult(callId, { content: reason, isError: true }));
    this.#told.clear();
    this.#toolUseIds.clear();
    return results;
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
