// An agent of the Agent Client Protocol for tests. What it does is in the prompt: one word a behaviour.
//   acp-agent.ts [MODE…]   modes: no-load, resume, login, old, silent, garbage, die, stubborn,
//   careless (has modes, and is in one that asks nobody), stuck (stays in it),
//   gives-up (ends its turn when it is refused something)
import { appendFileSync, closeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";

const modes = new Set(process.argv.slice(2));
const log = process.env["ACP_AGENT_LOG"];
const note = (line: string): void => {
  if (log !== undefined) appendFileSync(log, `${line}\n`);
};

if (modes.has("garbage")) process.stdout.write("Welcome!\n{broken\n[1,2]\n\n");
if (modes.has("die")) {
  process.stderr.write("cannot find my configuration\n");
  process.exit(7);
}
if (modes.has("stubborn")) process.on("SIGTERM", () => {});

let mode = "auto";
let cancelTurn = (): void => {};
const sessions = new Set<string>(["known-session"]);

const app = agent({ name: "test-agent" })
  .onRequest(methods.agent.initialize, ({ params }) => {
    note(`initialize ${JSON.stringify(params.clientCapabilities)}`);
    if (modes.has("silent")) return new Promise<never>(() => {});
    return {
      protocolVersion: modes.has("old") ? 0 : 1,
      agentCapabilities: {
        loadSession: !modes.has("no-load"),
        ...(modes.has("resume") && { sessionCapabilities: { resume: {} } }),
      },
      authMethods: [{ id: "key", name: "API key", description: "Run test-agent login" }],
      agentInfo: { name: "test-agent", version: "1.0.0" },
    };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    note(`new ${params.cwd}`);
    if (modes.has("login")) throw RequestError.authRequired();
    sessions.add("session-1");
    const modeOptions = modes.has("careless") ? [modeOption()] : [];
    return { sessionId: "session-1", configOptions: [modelOption("small"), ...modeOptions] };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    note(`load ${params.sessionId}`);
    if (!sessions.has(params.sessionId)) throw RequestError.sessionNotFound(params.sessionId);
    await send(client, params.sessionId, {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "replayed" },
    });
    return { configOptions: [modelOption("small")] };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    note(`resume ${params.sessionId}`);
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    if (params.configId === "mode") {
      note(`mode ${String(params.value)}`);
      if (!modes.has("stuck")) mode = String(params.value);
      return { configOptions: [modelOption("small"), modeOption()] };
    }
    note(`model ${String(params.value)}`);
    return { configOptions: [modelOption(String(params.value))] };
  })
  .onNotification(methods.agent.session.cancel, () => {
    note("cancel");
    cancelTurn();
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const texts = params.prompt.map((block) => (block.type === "text" ? block.text : block.type));
    note(`prompt ${JSON.stringify(texts)}`);
    const [word = "", ...rest] = texts.at(-1)!.split(" ");
    const behave = behaviours[word] ?? behaviours["echo"]!;
    const stopReason = await behave({ client, sessionId: params.sessionId, text: rest.join(" ") });
    return { stopReason: stopReason ?? "end_turn" };
  });

interface Turn {
  client: AgentContext;
  sessionId: string;
  text: string;
}

const behaviours: Record<string, (turn: Turn) => Promise<StopReason | void>> = {
  async echo({ client, sessionId, text }) {
    for (const word of text.split(/(?<= )/)) await say(client, sessionId, word);
  },
  async think({ client, sessionId }) {
    await send(client, sessionId, {
      sessionUpdate: "agent_thought_chunk",
      content: { type: "text", text: "Hm" },
    });
    await say(client, sessionId, "Aha");
  },
  // A call that is announced before its input is known, updated twice, with text around it.
  async tool({ client, sessionId }) {
    await say(client, sessionId, "Looking");
    await send(client, sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "List files",
      kind: "execute",
      status: "pending",
      rawInput: { cwd: "here" },
    });
    await send(client, sessionId, {
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      status: "in_progress",
      rawInput: { command: "ls" },
    });
    const result = [{ type: "content" as const, content: { type: "text" as const, text: "a.txt" } }];
    for (let repeat = 0; repeat < 2; repeat++) {
      await send(client, sessionId, {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        content: result,
      });
    }
    await say(client, sessionId, "Found one");
  },
  async forget({ client, sessionId }) {
    await send(client, sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "Fetch",
      kind: "fetch",
      status: "pending",
    });
  },
  async ask({ client, sessionId, text }) {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "7", title: "Remove it", kind: "execute", rawInput: { command: text } },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "always", name: "Always", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    const chosen = outcome.outcome === "selected" ? outcome.optionId : "cancelled";
    note(`permission ${chosen}`);
    const isAllowed = chosen === "yes" || chosen === "always";
    await send(client, sessionId, {
      sessionUpdate: "tool_call_update",
      toolCallId: "7",
      status: isAllowed ? "completed" : "failed",
      rawOutput: chosen,
    });
    if (!modes.has("gives-up")) await say(client, sessionId, `You chose ${chosen}`);
    if (chosen === "cancelled" || modes.has("gives-up")) return "cancelled";
    return undefined;
  },
  // It leaves the mode in which it asks.
  async drift({ client, sessionId }) {
    mode = "auto";
    await send(client, sessionId, { sessionUpdate: "config_option_update", configOptions: [modeOption()] });
    await say(client, sessionId, "Now I do as I like");
    return new Promise<never>(() => {});
  },
  async plan({ client, sessionId }) {
    await send(client, sessionId, {
      sessionUpdate: "plan",
      entries: [
        { content: "Look", priority: "high", status: "completed" },
        { content: "Mend", priority: "low", status: "in_progress" },
      ],
    });
    await send(client, sessionId, {
      sessionUpdate: "usage_update",
      used: 1200,
      size: 200_000,
      cost: { amount: 0.5, currency: "USD" },
    });
  },
  async file({ client, sessionId, text }) {
    await client.request(methods.client.fs.writeTextFile, {
      sessionId,
      path: text,
      content: "one\ntwo\nthree\n",
    });
    const { content } = await client.request(methods.client.fs.readTextFile, {
      sessionId,
      path: text,
      line: 2,
      limit: 1,
    });
    const missing = await client
      .request(methods.client.fs.readTextFile, { sessionId, path: `${text}.none` })
      .then(
        () => "found",
        (error: RequestError) => error.code,
      );
    await say(client, sessionId, `${content} ${missing}`);
  },
  async terminal({ client, sessionId, text }) {
    const { terminalId } = await client.request(methods.client.terminal.create, {
      sessionId,
      command: text,
      outputByteLimit: 10,
    });
    await send(client, sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "3",
      title: text,
      kind: "execute",
      status: "in_progress",
      content: [{ type: "terminal", terminalId }],
    });
    const exit = await client.request(methods.client.terminal.waitForExit, { sessionId, terminalId });
    const { output, truncated } = await client.request(methods.client.terminal.output, {
      sessionId,
      terminalId,
    });
    await send(client, sessionId, {
      sessionUpdate: "tool_call_update",
      toolCallId: "3",
      status: "completed",
    });
    await client.request(methods.client.terminal.release, { sessionId, terminalId });
    await say(client, sessionId, JSON.stringify({ ...exit, output, truncated }));
  },
  async strange({ client, sessionId }) {
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "from_the_future", what: 1 } as unknown as SessionUpdate,
    });
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "plan" } as unknown as SessionUpdate,
    });
    await say(client, sessionId, "Still here");
  },
  async many({ client, sessionId, text }) {
    for (let number = 0; number < Number(text); number++) {
      await send(client, sessionId, {
        sessionUpdate: "plan",
        entries: [{ content: String(number), priority: "low", status: "pending" }],
      });
      note(`sent ${number}`);
    }
  },
  async hang({ client, sessionId, text }) {
    await say(client, sessionId, "Waiting");
    if (text === "deaf") return new Promise<never>(() => {});
    await new Promise<void>((resolve) => (cancelTurn = resolve));
    return "cancelled";
  },
  async crash({ client, sessionId }) {
    await say(client, sessionId, "Going down");
    await send(client, sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "Blow up",
      kind: "execute",
      status: "in_progress",
      rawInput: { command: "boom" },
    });
    process.stderr.write("out of luck\n");
    process.exit(3);
  },
  mute() {
    closeSync(1);
    return new Promise<never>(() => {});
  },
  stop: ({ text }) => Promise.resolve(text as StopReason),
  fail: () => Promise.reject(RequestError.internalError({ details: "quota" }, "model is overloaded")),
};

function send(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update });
}

function say(client: AgentContext, sessionId: string, text: string): Promise<void> {
  return send(client, sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

interface SelectOption {
  type: "select";
  id: string;
  name: string;
  category: string;
  currentValue: string;
  options: { value: string; name: string }[];
}

function modeOption(): SelectOption {
  const options = ["auto", "ask"].map((value) => ({ value, name: value }));
  return { type: "select", id: "mode", name: "Mode", category: "mode", currentValue: mode, options };
}

function modelOption(currentValue: string): SelectOption {
  const options = [
    { value: "small", name: "Small" },
    { value: "vendor/large", name: "Large" },
  ];
  return { type: "select", id: "model", name: "Model", category: "model", currentValue, options };
}

const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
if (!modes.has("stubborn")) void connection.closed.then(() => process.exit(0));
else setInterval(() => {}, 1000);
