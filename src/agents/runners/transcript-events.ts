import { randomUUID } from "node:crypto";
import type { AgentUsage, AssistantEvent, ContentPart, RunnerEvent, UserEvent } from "../../tasks/ports.ts";
import type { ModelCall } from "./known/index.ts";

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
  #model: string;
  readonly #takeCalls: () => ModelCall[];
  #messageId: string | undefined;
  #requestId: string | undefined;
  #usage: AgentUsage = noUsage;
  readonly #toolUseIds = new Map<string, string>();
  readonly #told = new Set<string>();
  readonly #open = new Set<string>();

  /** `takeCalls` gives the requests to the model that were told of since it was asked last. */
  constructor(model: string, takeCalls: () => ModelCall[] = () => []) {
    this.#model = model;
    this.#takeCalls = takeCalls;
  }

  say(part: ContentPart): AssistantEvent {
    const isToolUse = part.type === "tool_use";
    if (this.#messageId === undefined) [this.#usage, this.#requestId] = [noUsage, undefined];
    this.#countCalls();
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
        usage: { ...this.#usage },
      },
      ...(this.#requestId !== undefined && { requestId: this.#requestId }),
    };
  }

  // What an agent tells late counts for the message that it says next.
  #countCalls(): void {
    for (const { model, usage, ids } of this.#takeCalls()) {
      if (this.#messageId === undefined && ids) {
        this.#messageId = ids.messageId;
        this.#requestId = ids.requestId;
      }
      this.#model = model ?? this.#model;
      this.#usage = sumOf(this.#usage, usage);
    }
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

  /** Requests that were told of when there was nothing more to say. */
  tellRest(): RunnerEvent[] {
    return this.#takeCalls().map(({ model, usage }) => ({
      kind: "spent",
      model: model ?? this.#model,
      usage,
    }));
  }

  /** What somebody says next begins a new message of the agent. */
  hear(text: string, { isMeta }: { isMeta: boolean }): UserEvent {
    this.#messageId = undefined;
    return { kind: "user", message: { role: "user", content: text }, ...(isMeta && { isMeta }) };
  }
}

const noUsage: AgentUsage = { input_tokens: 0, output_tokens: 0 };

function sumOf(one: AgentUsage, other: AgentUsage): AgentUsage {
  const { cache_creation_input_tokens: written = 0, cache_read_input_tokens: read = 0 } = one;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_input_tokens: written + (other.cache_creation_input_tokens ?? 0),
    cache_read_input_tokens: read + (other.cache_read_input_tokens ?? 0),
  };
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
