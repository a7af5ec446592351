import type { ServerResponse } from "node:http";

/** A message that the server streams. */
export interface AnswerStep {
  kind: "answer";
  content: AnswerPart[];
  /** Default: `tool_use` when the content has a tool use, else `end_turn`. */
  stopReason?: string;
  /** Of the whole message. */
  usage?: Record<string, unknown>;
  /** Sends the first half of its events, and the rest only when this resolves: an answer under way. */
  until?: Promise<unknown>;
  /** What happens instead of the second half. */
  breaksOff?:
    /** The connection ends, as when a proxy restarts. */
    | "cut"
    /** The events end in good order, but the message is not complete. */
    | "end"
    /** An event that is no JSON. */
    | "garbage"
    /** An error event of this type, such as `overloaded_error`. */
    | { error: string };
}

/** A string is a text block. */
export type AnswerPart =
  | string
  | { thinking: string; signature?: string }
  | { tool: string; input: unknown; id?: string }
  /** A tool use whose input arrives as this text, which need not be JSON. */
  | { tool: string; rawInput: string; id?: string };

interface ServerEvent {
  type: string;
  [key: string]: unknown;
}

/** Streams an answer in the events of the Messages API. */
export async function sendAnswer(
  response: ServerResponse,
  step: AnswerStep,
  { model, number }: { model: string; number: number },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${number}` });
  const send = (event: ServerEvent): void =>
    void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const events = eventsOf(step, { model, number });
  const half = Math.ceil(events.length / 2);
  for (const event of events.slice(0, half)) send(event);
  await step.until;
  if (step.breaksOff === undefined) for (const event of events.slice(half)) send(event);
  else if (step.breaksOff === "garbage") response.write("event: content_block_delta\ndata: {no json\n\n");
  else if (typeof step.breaksOff === "object")
    send({ type: "error", error: { type: step.breaksOff.error, message: step.breaksOff.error } });
  // What was written must arrive before the cut, else there is no half of a message.
  if (step.breaksOff === "cut") await new Promise((resolve) => response.write(": cut\n\n", resolve));
  if (step.breaksOff === "cut") response.destroy();
  else response.end();
}

function eventsOf(
  { content, stopReason, usage }: AnswerStep,
  { model, number }: { model: string; number: number },
): ServerEvent[] {
  const id = `msg_${number}`;
  const whole = { input_tokens: 10, output_tokens: 5, ...usage };
  const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null };
  const hasTool = content.some((part) => typeof part === "object" && "tool" in part);
  const delta = { stop_reason: stopReason ?? (hasTool ? "tool_use" : "end_turn"), stop_sequence: null };
  return [
    {
      type: "message_start",
      message: { ...message, stop_sequence: null, usage: { ...whole, output_tokens: 1 } },
    },
    ...content.flatMap((part, index) => blockEvents(part, { index, id: `toolu_${number}_${index}` })),
    { type: "message_delta", delta, usage: { output_tokens: whole.output_tokens } },
    { type: "message_stop" },
  ];
}

function blockEvents(part: AnswerPart, { index, id }: { index: number; id: string }): ServerEvent[] {
  const { start, deltas } = blockOf(part, id);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function blockOf(part: AnswerPart, id: string): { start: object; deltas: object[] } {
  if (typeof part === "string") {
    const deltas = inPieces(part).map((text) => ({ type: "text_delta", text }));
    return { start: { type: "text", text: "" }, deltas };
  }
  if ("thinking" in part) {
    const deltas = inPieces(part.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    const signature = { type: "signature_delta", signature: part.signature ?? "signed" };
    return { start: { type: "thinking", thinking: "", signature: "" }, deltas: [...deltas, signature] };
  }
  const input = "rawInput" in part ? part.rawInput : JSON.stringify(part.input);
  return {
    start: { type: "tool_use", id: part.id ?? id, name: part.tool, input: {} },
    deltas: inPieces(input).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  };
}

function inPieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
}
