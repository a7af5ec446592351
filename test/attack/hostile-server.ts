import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  /** Requests so far. */
  readonly count: () => number;
  /** What each request asked for, oldest first. */
  readonly asked: readonly { model: string; max_tokens: number }[];
}

/** A Messages API on loopback that keeps to no rule but that of its answer, and answers for ever. */
export async function startHostileServer(
  answer: (response: ServerResponse, body: string) => void | Promise<void>,
): Promise<HostileServer> {
  const asked: { model: string; max_tokens: number }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { model, max_tokens } = JSON.parse(body) as { model: string; max_tokens: number };
    asked.push({ model, max_tokens });
    response.on("error", () => {});
    await answer(response, body);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => asked.length,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function send(response: ServerResponse, ...events: { type: string; [key: string]: unknown }[]): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

export const usage: { input_tokens: number; output_tokens: number } = {
  input_tokens: 1000,
  output_tokens: 100,
};

/** The beginning of a message that has the same id as every other one. */
export const start: { type: string; message: object } = {
  type: "message_start",
  message: {
    id: "msg_same",
    type: "message",
    role: "assistant",
    model: "claude-opus-4-6",
    content: [],
    usage,
  },
};

/** An answer that is nothing but one use of a tool, always under the same ids. */
export function sendToolUse(response: ServerResponse, name: string, input: unknown): void {
  send(
    response,
    start,
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "same", name, input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  );
  response.end();
}
