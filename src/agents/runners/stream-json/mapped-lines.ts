import { isJsonObject } from "../../../format/json-object.ts";
import type { RunnerEvent } from "../../../tasks/ports.ts";
import { TranscriptEvents } from "../transcript-events.ts";
import { field, numberAt, textAt } from "./line-fields.ts";
import type { LineEvent, LineReader } from "./conversation.ts";

/**
 * Where in a line of some command is what: dotted paths (`message.content.0.text`). A line may hold several of them;
 * one that holds none is passed over.
 */
export interface LineMapping {
  /** A whole piece of the answer. */
  text?: string;
  /** A part of an answer that comes whole later. */
  delta?: string;
  /** The id by which the command can go on later. */
  session?: string;
  /** A tool call: its name, and its input and id where there are any. */
  toolName?: string;
  toolInput?: string;
  toolId?: string;
  /** The result of the tool call with `toolId`, or of the last one. */
  toolResult?: string;
  /** Totals so far. */
  inputTokens?: string;
  outputTokens?: string;
  costUsd?: string;
  /** Why it could not do it. */
  error?: string;
}

/** What a command that was written for this should print. */
export const plainMapping: LineMapping = {
  text: "text",
  delta: "delta",
  session: "session_id",
  toolName: "tool.name",
  toolInput: "tool.input",
  toolId: "tool.id",
  toolResult: "tool.result",
  inputTokens: "usage.input_tokens",
  outputTokens: "usage.output_tokens",
  costUsd: "cost_usd",
  error: "error",
};

/** The lines of any command that prints JSON, by a mapping. */
export class MappedLines implements LineReader {
  readonly #transcript: TranscriptEvents;
  readonly #mapping: LineMapping;
  #lastCall = "";
  #calls = 0;

  constructor(model: string, mapping: LineMapping) {
    this.#transcript = new TranscriptEvents(model);
    this.#mapping = mapping;
  }

  hear(line: Record<string, unknown>): LineEvent[] {
    const { session, delta, text, error } = this.#mapping;
    const foreignSessionId = at(textAt, line, session);
    const piece = at(textAt, line, delta);
    const said = at(textAt, line, text);
    const failure = at(field, line, error) ?? undefined;
    return [
      ...(foreignSessionId === undefined ? [] : [{ kind: "session" as const, foreignSessionId }]),
      ...(piece === undefined ? [] : [{ kind: "delta" as const, text: piece }]),
      ...(said === undefined || said === "" ? [] : [this.#transcript.say({ type: "text", text: said })]),
      ...this.#tool(line),
      ...this.#usage(line),
      ...(failure === undefined ? [] : [{ kind: "failure" as const, message: words(failure) }]),
    ];
  }

  finish(): RunnerEvent[] {
    return this.#transcript.endTurn("The command ended without telling a result");
  }

  #tool(line: Record<string, unknown>): LineEvent[] {
    const { toolName, toolInput, toolId, toolResult } = this.#mapping;
    const id = at(field, line, toolId);
    const name = at(textAt, line, toolName);
    const result = at(field, line, toolResult);
    if (id !== undefined) this.#lastCall = words(id);
    else if (name !== undefined) this.#lastCall = `call-${++this.#calls}`;
    const input = at(field, line, toolInput) ?? {};
    const use = { name: name ?? "", input: isJsonObject(input) ? input : { input } };
    return [
      ...(name === undefined ? [] : this.#transcript.useTool(this.#lastCall, use)),
      ...(result === undefined
        ? []
        : this.#transcript.giveResult(this.#lastCall, { content: words(result) })),
    ];
  }

  #usage(line: Record<string, unknown>): LineEvent[] {
    const input = at(numberAt, line, this.#mapping.inputTokens);
    const output = at(numberAt, line, this.#mapping.outputTokens);
    const costUsd = at(numberAt, line, this.#mapping.costUsd);
    if (input === undefined && output === undefined && costUsd === undefined) return [];
    const usage = { input_tokens: input ?? 0, output_tokens: output ?? 0 };
    return [{ kind: "usage", usage, ...(costUsd !== undefined && { costUsd }) }];
  }
}

function at<T>(
  read: (line: unknown, dotted: string) => T,
  line: Record<string, unknown>,
  dotted: string | undefined,
): T | undefined {
  return dotted === undefined ? undefined : read(line, dotted);
}

function words(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
