import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { ContentPart, PermissionRequest, RunnerEvent } from "../../../tasks/ports.ts";
import { field } from "../json-fields.ts";
import type { AcpHabits, ModelCall } from "../known/index.ts";
import { modelWords, questionTitle } from "../question-title.ts";
import { TranscriptEvents, type ForeignToolUse } from "../transcript-events.ts";
import { ForeignTerminals } from "./foreign-terminals.ts";
import {
  contentPart,
  isUnderWay,
  mergeToolCall,
  toolName,
  toolResult,
  type ToolCallFacts,
} from "./tool-call.ts";
import { toolInput } from "./tool-input.ts";
import { noCalls, TurnUsage } from "./turn-usage.ts";

export interface SessionUpdatesOptions {
  model: string;
  /** Reads the requests to its model that the agent has written into its own session since the last time. */
  readCalls?: (() => ModelCall[]) | undefined;
  habits?: AcpHabits | undefined;
  /** Says what a terminal that ran for the agent has printed. */
  outputOf: (terminalId: string) => string | undefined;
}

/**
 * Turns the updates of a session into events. Text is collected until something else comes; a tool call is told when it
 * is under way or asked about, and gets exactly one result, at the end of the turn if it never came.
 */
export class SessionUpdates {
  readonly #transcript: TranscriptEvents;
  readonly #habits: AcpHabits;
  readonly #ownOutputOf: (terminalId: string) => string | undefined;
  readonly #foreign = new ForeignTerminals();
  readonly #calls = new Map<string, ToolCallFacts>();
  /** What the calls under way have given back so far. */
  readonly #shown = new Map<string, readonly ToolCallContent[]>();
  readonly #usage: TurnUsage;
  #text: { type: "text" | "thinking"; messageId: string | undefined; text: string } | undefined;

  constructor({ model, habits = {}, outputOf, readCalls = noCalls }: SessionUpdatesOptions) {
    this.#usage = new TurnUsage(readCalls);
    this.#transcript = new TranscriptEvents(model, () => this.#usage.take());
    this.#habits = habits;
    this.#ownOutputOf = outputOf;
  }

  apply(update: SessionUpdate): RunnerEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const type = update.sessionUpdate === "agent_message_chunk" ? "text" : "thinking";
        this.#usage.hear(field(update._meta, "usage"));
        return this.#hearChunk(type, contentPart(update.content), update.messageId ?? undefined);
      }
      case "tool_call":
      case "tool_call_update": {
        const { sessionUpdate: _, ...facts } = update;
        return this.hearCall(facts);
      }
      case "plan":
        return [{ kind: "todos", todos: update.entries.map(({ content, status }) => ({ content, status })) }];
      case "usage_update":
        // How full its context is says nothing of what it has used; what it has cost does.
        if (update.cost?.currency !== "USD" || update.cost.amount === 0) return [];
        return [{ kind: "usage", costUsd: update.cost.amount }];
      default:
        return [];
    }
  }

  /** News of a tool call; `isAsked` when the agent asks whether it may run, so it knows what it is about. */
  hearCall(news: ToolCallFacts, { isAsked = false }: { isAsked?: boolean } = {}): RunnerEvent[] {
    const id = news.toolCallId;
    const facts = mergeToolCall(this.#calls.get(id), news);
    const isBegun = isAsked || isUnderWay(facts);
    const events = isBegun ? this.#tellCall(facts) : this.#announce(id, facts);
    this.#foreign.hear(news._meta);
    const isOver = facts.status === "completed" || facts.status === "failed";
    // What it gave back may be large, and is told now.
    this.#calls.set(id, isOver ? { toolCallId: id } : facts);
    // What is told before it begins are words about it, and no result.
    if (isBegun && !isAsked && news.content) this.#shown.set(id, news.content);
    return isOver ? [...events, ...this.#flushText(), ...this.#giveResult(id, facts)] : events;
  }

  /** The call as the transcript knows it, for who asks whether it may run. */
  callOf(callId: string): PermissionRequest {
    const facts = this.#calls.get(callId) ?? { toolCallId: callId };
    const { name: tool, input } = this.#useOf(facts);
    const title = questionTitle(tool, input);
    const said = modelWords(facts.title ?? undefined, title);
    return { toolUseId: this.#transcript.toolUseId(callId), tool, input, title, ...said };
  }

  /** A call that was not allowed has its result at once: agents tell it late, or end their turn without one. */
  deny(callId: string, reason: string): RunnerEvent[] {
    return this.#transcript.giveResult(callId, { content: reason, isError: true });
  }

  /** The call whose output a terminal has; undefined when none is told to have it, or it is over. */
  useOfTerminal(terminalId: string): string | undefined {
    for (const [callId, { content }] of this.#calls)
      if (content?.some((item) => item.type === "terminal" && item.terminalId === terminalId))
        return this.#transcript.toolUseId(callId);
    return undefined;
  }

  hear(text: string, options: { isMeta: boolean }): RunnerEvent {
    return this.#transcript.hear(text, options);
  }

  /** What the answer to a prompt says of the turn. Waits for what the agent still writes into its own session. */
  async hearTurn(totals: unknown): Promise<void> {
    await this.#usage.hearTurn(totals);
  }

  /** The turn is over: what was collected is told, and no call stays without a result. */
  endTurn(reason: string): RunnerEvent[] {
    const held = [...this.#flushText(), ...this.#tellHeld()];
    const events = [...held, ...this.#transcript.endTurn(reason), ...this.#transcript.tellRest()];
    this.#calls.clear();
    this.#shown.clear();
    return events;
  }

  #hearChunk(type: "text" | "thinking", part: ContentPart, messageId: string | undefined): RunnerEvent[] {
    const isSame = this.#text?.type === type && this.#text.messageId === messageId;
    const events = isSame ? [] : [...this.#flushText(), ...this.#tellHeld()];
    if (part.type !== "text") return [...events, ...this.#flushText(), this.#transcript.say(part)];
    const text = String(part["text"]);
    this.#text = { type, messageId, text: (isSame ? this.#text!.text : "") + text };
    if (type === "text" && text !== "") events.push({ kind: "delta", text });
    return events;
  }

  #flushText(): RunnerEvent[] {
    const collected = this.#text;
    this.#text = undefined;
    if (!collected || collected.text.trim() === "") return [];
    const { type, text } = collected;
    // Without the signature that only the API gives; readers that need one pass such a thought over.
    return [this.#transcript.say(type === "text" ? { type, text } : { type, thinking: text, signature: "" })];
  }

  // Who watches sees at once what is about to happen, also of an agent that says no more until it is over.
  #announce(id: string, { title }: ToolCallFacts): RunnerEvent[] {
    return this.#calls.has(id) || !title ? [] : [{ kind: "activity", text: title }];
  }

  #tellCall(facts: ToolCallFacts): RunnerEvent[] {
    if (this.#transcript.isTold(facts.toolCallId)) return [];
    return [...this.#flushText(), ...this.#transcript.useTool(facts.toolCallId, this.#useOf(facts))];
  }

  #giveResult(id: string, facts: ToolCallFacts): RunnerEvent[] {
    const given = this.#shown.get(id) ?? (facts.content ?? []).filter(({ type }) => type !== "content");
    this.#shown.delete(id);
    const terminals = given.flatMap((item) => (item.type === "terminal" ? [item.terminalId] : []));
    const content = toolResult({ ...facts, content: given }, (terminalId) => this.#outputOf(terminalId));
    const isError = facts.status === "failed" || terminals.some((each) => this.#foreign.hasFailed(each));
    for (const terminalId of terminals) this.#foreign.forget(terminalId);
    return this.#transcript.giveResult(id, { content, isError });
  }

  #outputOf(terminalId: string): string | undefined {
    return this.#foreign.findOutput(terminalId) ?? this.#ownOutputOf(terminalId);
  }

  #useOf(facts: ToolCallFacts): ForeignToolUse {
    const name = toolName(facts, this.#habits);
    return { name, input: toolInput(name, facts, this.#habits) };
  }

  #tellHeld(): RunnerEvent[] {
    return [...this.#calls.values()].flatMap((facts) => this.#tellCall(facts));
  }
}
