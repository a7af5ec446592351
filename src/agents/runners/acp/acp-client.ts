import {
  client,
  methods,
  type ClientConnection,
  type PromptRequest,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { isJsonObject } from "../../../format/json-object.ts";
import type { RunnerRequest } from "../../../tasks/ports.ts";
import type { AgentProcess } from "../agent-process.ts";
import { readTextFile, writeTextFile } from "./client-files.ts";
import { ClientTerminals } from "./client-terminals.ts";
import { unfenced } from "../require-fence.ts";
import { leavesFence } from "./enter-fence.ts";
import type { EventQueue } from "./event-queue.ts";
import { messageStream } from "./message-stream.ts";
import { openSession, type AgentFacts, type OpenedSession } from "./open-session.ts";
import { isToolAllowed, permissionResponse } from "./permission.ts";
import { SessionUpdates } from "./session-updates.ts";

export interface AcpClientOptions {
  agent: AgentProcess;
  request: RunnerRequest;
  events: EventQueue;
  signal: AbortSignal;
  known: AgentFacts;
}

/** Holdfast's side of a conversation with an agent process: asks, serves, and pushes what happens as events. */
export class AcpClient {
  readonly #request: RunnerRequest;
  readonly #events: EventQueue;
  readonly #signal: AbortSignal;
  readonly #known: AgentFacts;
  readonly #terminals: ClientTerminals;
  readonly #connection: ClientConnection;
  #sessionId: string | undefined;
  #updates: SessionUpdates | undefined;
  /** The last thing that it printed and that was no message. */
  garbage: string | undefined;
  /** Why a tool was not allowed, as long as the agent has said nothing since. */
  denial: string | undefined;
  /** Somebody who was asked wanted the agent to stop. */
  isInterrupted = false;

  constructor({ agent, request, events, signal, known }: AcpClientOptions) {
    this.#request = request;
    this.#known = known;
    this.#events = events;
    this.#signal = signal;
    this.#terminals = new ClientTerminals(request, (terminalId, text) => {
      const toolUseId = this.#updates?.useOfTerminal(terminalId);
      if (toolUseId !== undefined) request.tellOutput?.({ toolUseId, text });
    });
    const stream = messageStream(agent, {
      room: () => events.room(),
      onUpdate: (params) => this.#hearUpdate(params),
      onGarbage: (text) => (this.garbage = text),
    });
    this.#connection = this.#serve().connect(stream);
  }

  /** The agent no longer talks. */
  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  async open(): Promise<OpenedSession> {
    const session = await openSession(this.#connection.agent, this.#request, this.#known);
    this.#sessionId = session.sessionId;
    this.#events.push({ kind: "session", foreignSessionId: session.sessionId });
    return session;
  }

  /** One turn. From now on updates are heard; what an agent replays while it loads a session is known already. */
  async prompt(texts: readonly string[], { model }: OpenedSession): Promise<PromptResponse["stopReason"]> {
    this.#updates ??= this.#openUpdates(model);
    const turn: PromptRequest = {
      sessionId: this.#sessionId!,
      prompt: texts.map((text) => ({ type: "text", text })),
    };
    this.denial = undefined;
    const response = await this.#connection.agent.request(methods.agent.session.prompt, turn);
    await this.#updates.hearTurn((response as { usage?: unknown }).usage);
    this.endTurn("The agent ended its turn without reporting a result");
    return response.stopReason;
  }

  #openUpdates(model: string): SessionUpdates {
    const { habits } = this.#known;
    const outputOf = (terminalId: string): string | undefined => this.#terminals.findOutput(terminalId);
    const readCalls = habits?.readCalls?.({ sessionId: this.#sessionId!, env: this.#request.env });
    return new SessionUpdates({ model, habits, outputOf, readCalls });
  }

  /** Tells what is still held, so that the transcript can be continued whatever comes next. */
  endTurn(reason: string): void {
    if (this.#updates) this.#events.push(...this.#updates.endTurn(reason));
  }

  /** What somebody said meanwhile, or Holdfast itself, as a message of its own. */
  hear(text: string, { isMeta = false }: { isMeta?: boolean } = {}): void {
    if (this.#updates) this.#events.push(this.#updates.hear(text, { isMeta }));
  }

  /** Asks the agent to stop its turn; the prompt is then answered, if the agent still can. */
  cancel(): void {
    if (this.#sessionId === undefined) return;
    const sessionId = this.#sessionId;
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.#terminals.close();
  }

  // Whatever changes something outside waits until what led to it is recorded.
  #serve(): ReturnType<typeof client> {
    const terminals = this.#terminals;
    const { session, fs, terminal } = methods.client;
    return client({ name: "holdfast" })
      .onRequest(session.requestPermission, ({ params, signal }) => this.#askPermission(params, signal))
      .onRequest(fs.readTextFile, ({ params }) => readTextFile(params))
      .onRequest(fs.writeTextFile, async ({ params }) => {
        await this.#events.recorded();
        return writeTextFile(params);
      })
      .onRequest(terminal.create, async ({ params }) => {
        await this.#events.recorded();
        return terminals.create(params);
      })
      .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
      .onRequest(terminal.waitForExit, ({ params }) => terminals.waitForExit(params.terminalId))
      .onRequest(terminal.kill, ({ params }) => terminals.kill(params.terminalId))
      .onRequest(terminal.release, ({ params }) => terminals.release(params.terminalId));
  }

  #hearUpdate(params: unknown): void {
    if (!isUpdate(params) || params.sessionId !== this.#sessionId) return;
    try {
      const { name, fence } = this.#known;
      if (saysMore.has(params.update.sessionUpdate)) this.denial = undefined;
      // Whoever ends the events ends the agent.
      if (fence && leavesFence(params.update, fence))
        return this.#events.end({ error: unfenced(name, "it left the mode in which it asks") });
      if (this.#updates) this.#events.push(...this.#updates.apply(params.update));
    } catch {
      // An update that lacks what its kind needs says nothing; the agent goes on, and so do we.
      this.garbage = `session/update of kind ${params.update.sessionUpdate}`;
    }
  }

  async #askPermission(
    { toolCall, options }: RequestPermissionRequest,
    withdrawn: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const updates = this.#updates;
    if (!updates) return { outcome: { outcome: "cancelled" } };
    this.#events.push(...updates.hearCall(toolCall, { isAsked: true }));
    const call = updates.callOf(toolCall.toolCallId);
    await this.#events.recorded();
    const signal = AbortSignal.any([this.#signal, withdrawn]);
    try {
      const answer = isToolAllowed(call.tool, this.#request.tools)
        ? await this.#request.askPermission(call, signal)
        : { behavior: "deny" as const, message: `${call.tool} is not among its tools` };
      if (answer.behavior === "deny") {
        this.denial = answer.message;
        this.#events.push(...updates.deny(toolCall.toolCallId, answer.message));
      }
      if (answer.behavior === "deny" && answer.interrupt) {
        this.isInterrupted = true;
        this.cancel();
      }
      return permissionResponse(answer, options);
    } catch (error) {
      if (signal.aborted) return { outcome: { outcome: "cancelled" } };
      throw error;
    }
  }
}

const saysMore: ReadonlySet<string> = new Set(["agent_message_chunk", "tool_call"]);

function isUpdate(params: unknown): params is SessionNotification {
  return (
    isJsonObject(params) &&
    isJsonObject(params["update"]) &&
    typeof params["update"]["sessionUpdate"] === "string"
  );
}
