import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sendAnswer, type AnswerPart } from "../support/messages-answer.ts";

/** Who asks: the conversation, one of its sub-agents, or the client itself (a summary, a title). */
export type Asker = "main" | "agent" | "compaction" | "aside";

/** What the model says; a promise, or what a function promises, is waited for first. Or the error that it answers with. */
export type ModelStep =
  | AnswerPart[]
  | { after: Promise<unknown> | (() => Promise<unknown>); content: AnswerPart[] | (() => AnswerPart[]) }
  | { error: string };

export interface AskedModel {
  asker: Asker;
  /** All that it was given to read, as JSON. */
  text: string;
}

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly AskedModel[];
  /** Requests of the conversation, oldest first. */
  readonly main: readonly AskedModel[];
}

/** A model on loopback that answers each asker's nth request with his nth step, and then always the same. */
export async function startScriptedModel(
  script: Partial<Record<Asker, ModelStep[]>>,
): Promise<ScriptedModel> {
  const asked: AskedModel[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    if (
      request.method !== "POST" ||
      !request.url?.includes("/messages") ||
      request.url.includes("count_tokens")
    )
      return sendJson(response, { input_tokens: 1 });
    const { model, messages, tools, stream } = JSON.parse(body) as {
      model: string;
      messages: unknown;
      tools?: { name: string }[];
      stream?: boolean;
    };
    const text = JSON.stringify(messages);
    const asker = askerOf(request, { text, hasTools: (tools ?? []).length > 0 });
    const earlier = asked.filter((each) => each.asker === asker).length;
    asked.push({ asker, text });
    const step = script[asker]?.[earlier] ?? [DEFAULTS[asker]];
    if ("error" in step) return sendError(response, step.error);
    const content = await contentOf(step);
    if (stream) return sendAnswer(response, { kind: "answer", content }, { model, number: asked.length });
    const message = {
      id: `msg_${asked.length}`,
      type: "message",
      role: "assistant",
      model,
      stop_sequence: null,
    };
    const blocks = content.map((part) => ({ type: "text", text: typeof part === "string" ? part : "" }));
    sendJson(response, {
      ...message,
      content: blocks,
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get main() {
      return asked.filter(({ asker }) => asker === "main");
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function contentOf(step: Exclude<ModelStep, { error: string }>): Promise<AnswerPart[]> {
  if (Array.isArray(step)) return step;
  await (typeof step.after === "function" ? step.after() : step.after);
  return typeof step.content === "function" ? step.content() : step.content;
}

const DEFAULTS: Record<Asker, string> = {
  main: "Understood.",
  agent: "The agent has nothing to say.",
  compaction: "Summary of what was said.",
  aside: "Title",
};

function askerOf(request: IncomingMessage, { text, hasTools }: { text: string; hasTools: boolean }): Asker {
  // The client asks for a summary in the conversation's own name.
  if (/TEXT ONLY\b/.test(text.slice(-20_000))) return "compaction";
  if (request.headers["x-claude-code-agent-id"] !== undefined) return "agent";
  return hasTools ? "main" : "aside";
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

// One that no client tries again.
function sendError(response: ServerResponse, message: string): void {
  sendJson(response, { type: "error", error: { type: "invalid_request_error", message } }, 400);
}
