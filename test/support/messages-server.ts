import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sendAnswer, type AnswerStep } from "./messages-answer.ts";

/** How one request is answered. A string is an answer of that text; a function decides when it sees the request. */
export type MessagesStep = string | PlainStep | ((request: MessagesRequest) => string | PlainStep);

type PlainStep =
  | AnswerStep
  /** An HTTP error as the API sends it: 529 is overload, 429 a rate limit (with `retry-after` among the headers). */
  | { kind: "refuse"; status: number; type?: string; message?: string; headers?: Record<string, string> }
  /** No byte of an answer, until the client gives up or the server is closed. */
  | { kind: "hang" };

/** A request as the server got it. */
export interface MessagesRequest {
  headers: Record<string, string | string[] | undefined>;
  body: {
    model: string;
    max_tokens: number;
    stream?: boolean;
    system?: { type: string; text: string; [key: string]: unknown }[];
    messages: { role: string; content: string | { type: string; [key: string]: unknown }[] }[];
    tools?: { name: string; [key: string]: unknown }[];
    [key: string]: unknown;
  };
}

export interface MessagesServer extends AsyncDisposable {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Oldest first; grows. */
  readonly requests: readonly MessagesRequest[];
  /** Steps for requests still to come, behind those that are left. */
  script(...steps: MessagesStep[]): void;
  /** Steps that no request has used. */
  readonly stepsLeft: number;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/**
 * A Messages API on loopback that answers the nth request with the nth step, streaming. A request beyond the script is
 * refused in a way that no client repeats, so that a test fails at once.
 */
export async function startMessagesServer(...script: MessagesStep[]): Promise<MessagesServer> {
  const requests: MessagesRequest[] = [];
  const steps = [...script];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await readBody(request)) as MessagesRequest["body"];
    const asked = { headers: request.headers, body };
    requests.push(asked);
    const step = steps.shift();
    await play(typeof step === "function" ? step(asked) : step, { response, asked, number: requests.length });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...more) => void steps.push(...more),
    get stepsLeft() {
      return steps.length;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

interface Exchange {
  response: ServerResponse;
  asked: MessagesRequest;
  number: number;
}

async function play(step: string | PlainStep | undefined, exchange: Exchange): Promise<void> {
  const { response, asked, number } = exchange;
  if (step === undefined) {
    const message = `the script has no step for request ${number}`;
    return refuse(response, { status: 400, type: "invalid_request_error", message });
  }
  const plain: PlainStep = typeof step === "string" ? { kind: "answer", content: [step] } : step;
  if (plain.kind === "hang") return;
  if (plain.kind === "refuse") return refuse(response, plain);
  await sendAnswer(response, plain, { model: asked.body.model, number });
}

function refuse(
  response: ServerResponse,
  step: { status: number; type?: string; message?: string; headers?: Record<string, string> },
): void {
  const { status, type = errorTypes[status] ?? "api_error", message = type, headers = {} } = step;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
