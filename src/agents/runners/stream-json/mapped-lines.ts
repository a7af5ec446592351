import { isJsonObject } from "../../../format/json-object.ts";
import { TranscriptEvents } from "../transcript-events.ts";
import { field, numberAt, textAt } from "../json-fields.ts";
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
export function mappedLines(model: string, mapping: LineMapping): LineReader {
  const transcript = new TranscriptEvents(model);
  let lastCall = "";
  let calls = 0;
  return {
    hear(line) {
      const foreignSessionId = at(textAt, line, mapping.session);
      const piece = at(textAt, line, mapping.delta);
      const said = at(textAt, line, mapping.text);
      const failure = at(field, line, mapping.error) ?? undefined;
      return [
        ...(foreignSessionId === undefined ? [] : [{ kind: "session" as const, foreignSessionId }]),
        ...(piece === undefined ? [] : [{ kind: "delta" as const, text: piece }]),
        ...(said === undefined || said === "" ? [] : [transcript.say({ type: "text", text: said })]),
        ...hearTool(line),
        ...hearUsage(line),
        ...(failure === undefined ? [] : [{ kind: "failure" as const, message: words(failure) }]),
      ];
    },
    finish: () => transcript.endTurn("The command ended without reporting a result"),
  };

  function hearTool(line: Record<string, unknown>): LineEvent[] {
    const id = at(field, line, mapping.toolId);
    const name = at(textAt, line, mapping.toolName);
    const result = at(field, line, mapping.toolResult);
    if (id !== undefined) lastCall = words(id);
    else if (name !== undefined) lastCall = `call-${++calls}`;
    const input = at(field, line, mapping.toolInput) ?? {};
    const use = { name: name ?? "", input: isJsonObject(input) ? input : { input } };
    return [
      ...(name === undefined ? [] : transcript.useTool(lastCall, use)),
      ...(result === undefined ? [] : transcript.giveResult(lastCall, { content: words(result) })),
    ];
  }

  function hearUsage(line: Record<string, unknown>): LineEvent[] {
    const input = at(numberAt, line, mapping.inputTokens);
    const output = at(numberAt, line, mapping.outputTokens);
    const costUsd = at(numberAt, line, mapping.costUsd);
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
