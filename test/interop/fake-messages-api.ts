import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The part of a Messages request that the checks look at. */
export interface MessagesRequest {
  model: string;
  stream?: boolean;
  messages: { role: string; content: unknown }[];
  tools?: { name: string }[];
}

export interface FakeMessagesApi {
  readonly url: string;
  /** Requests of the conversation itself, oldest first; the client's side questions (a title, a topic) are not in it. */
  readonly requests: readonly MessagesRequest[];
  /** Called before a request of the conversation is answered. */
  onRequest: (request: MessagesRequest) => Promise<void> | void;
  close(): Promise<void>;
}

/** A Messages API on loopback that answers every request with the same short text. */
export async function startFakeMessagesApi(answer: string): Promise<FakeMessagesApi> {
  const requests: MessagesRequest[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (request.method !== "POST")
      return sendJson(response, 404, { type: "error", error: { type: "not_found_error" } });
    if (pathname.endsWith("/count_tokens"))
      return sendJson(response, 200, { input_tokens: body.length >> 2 });
    const asked = JSON.parse(body) as MessagesRequest;
    if ((asked.tools ?? []).length > 0) {
      requests.push(asked);
      await api.onRequest(asked);
    }
    sendAnswer(response, { asked, answer, number: requests.length });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api: FakeMessagesApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    onRequest: () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

interface Answer {
  asked: MessagesRequest;
  answer: string;
  number: number;
}

function sendAnswer(response: ServerResponse, { asked, answer, number }: Answer): void {
  const usage = {
    input_tokens: 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
  };
  const message = {
    id: `msg_fake${number}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    stop_sequence: null,
    usage,
  };
  const whole = { ...message, content: [{ type: "text", text: answer }], stop_reason: "end_turn" };
  if (!asked.stream) return sendJson(response, 200, whole);
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_fake${number}` });
  const send = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  send("content_block_delta", { index: 0, delta: { type: "text_delta", text: answer } });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}
