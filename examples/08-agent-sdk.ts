// A harness on the Claude Agent SDK puts its running query into the background: the query goes on, the user gets a fresh
// prompt, and every process finds its transcript, its progress and its ending. The SDK is used if it is installed and
// there is a key; else a stand-in tells messages of the same shapes. In your own project: import … from "holdfast".
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  openRuntime,
  type AssistantEvent,
  type RunnerEnd,
  type RunnerEvent,
  type UserEvent,
} from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

/** The messages of the SDK's `query()` that matter here. */
type SdkMessage =
  | { type: "system"; subtype: "init"; session_id: string }
  | { type: "assistant"; message: AssistantEvent["message"] }
  | { type: "user"; message: UserEvent["message"]; tool_use_result?: unknown }
  | { type: "result"; subtype: string };

type Query = (request: {
  prompt: string;
  options: { cwd: string; abortController: AbortController };
}) => AsyncIterable<SdkMessage>;

/** The SDK's messages are shaped like transcript entries already. */
async function* eventsOf(messages: AsyncIterable<SdkMessage>): AsyncGenerator<RunnerEvent, RunnerEnd> {
  for await (const message of messages) {
    if (message.type === "system" && message.subtype === "init")
      yield { kind: "session", foreignSessionId: message.session_id };
    if (message.type === "assistant") yield { kind: "assistant", message: message.message };
    if (message.type === "user")
      yield { kind: "user", message: message.message, toolUseResult: message.tool_use_result };
    if (message.type === "result" && message.subtype !== "success") throw new Error(message.subtype);
  }
  return { reason: "done" };
}

const home = temporaryHome();
const runtime = openRuntime(home);
const prompt = "Say hello.";
const abortController = new AbortController();
const query = await findQuery();
const running = query({ prompt, options: { cwd: home.cwd, abortController } });

// Ctrl+B twice. The task has the query's own abort controller: stopping the one stops the other.
const session = await runtime.agents.backgroundSession({
  sessionId: randomUUID(),
  cwd: home.cwd,
  description: prompt,
  messages: [{ role: "user", content: prompt }],
  query: eventsOf(running),
  abortController,
});
const { id } = session.task.record;
console.log(`${id} runs in the background`);
assert.match(id, /^s[0-9a-z]{8,}$/);

// Some time later, perhaps in another process: the ending is there, and its notice is given once.
const ended = await runtime.tasks.wait(id);
console.log(`${id} ${ended?.status}`);
assert.equal(ended?.status, "completed");
const notices = await runtime.tasks.consumeNotices({ by: "the example" });
console.log(notices[0]?.text);
assert.equal(notices.length, 1);
assert.deepEqual(await runtime.tasks.consumeNotices({ by: "somebody else" }), []);
await runtime.close();

async function findQuery(): Promise<Query> {
  if (!process.env["ANTHROPIC_API_KEY"]) return standIn;
  const name = "@anthropic-ai/claude-agent-sdk";
  try {
    const sdk: { query: Query } = await import(name);
    return sdk.query;
  } catch {
    console.log(`${name} is not installed`);
    return standIn;
  }
}

async function* standIn(): AsyncGenerator<SdkMessage> {
  yield { type: "system", subtype: "init", session_id: randomUUID() };
  yield {
    type: "assistant",
    message: {
      id: "msg_hello",
      model: "claude-example",
      role: "assistant",
      type: "message",
      content: [{ type: "text", text: "Hello." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 2 },
    },
  };
  yield { type: "result", subtype: "success" };
}
