// Lists the sessions of a home and reads one: the conversation in its true order, tool calls, tokens.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { blocksOf, openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const home = temporaryHome();
const { sessions } = openRuntime(home);
await writeSomething();

const [newest] = await sessions.list({ cwd: home.cwd });
assert(newest, "there is a session");
console.log(`${newest.sessionId}  ${newest.firstPrompt}  (${newest.messageCount} messages)`);

// By id, a unique prefix, "@last" or a path.
const session = await sessions.find(newest.sessionId.slice(0, 8));

// Entry by entry: a session of a gigabyte needs no gigabyte of memory.
const conversation = await sessions.conversation(session);
const said: string[] = [];
try {
  for (const entry of conversation.entries()) {
    // A message's content as blocks; of any other entry there are none.
    for (const block of blocksOf(entry)) {
      const what = block.type === "text" ? block.text : block.type === "tool_use" ? block.name : block.type;
      said.push(`${entry.type}: ${what}`);
    }
  }
  // Lines that are no entries are told, never skipped in silence.
  for (const { offset, reason } of conversation.rejections) console.log(`byte ${offset}: ${reason}`);
} finally {
  conversation.close();
}
console.log(said.join("\n"));

const usage = await sessions.usage(session);
console.log(`${usage.inputTokens} tokens in, ${usage.outputTokens} out`);

assert.deepEqual(said, [
  "user: What is in here?",
  "assistant: Bash",
  "user: tool_result",
  "assistant: Two files.",
]);
assert.equal(usage.outputTokens, 30);

async function writeSomething(): Promise<void> {
  const writer = await sessions.openWriter({ cwd: home.cwd });
  const model = "example-model";
  await writer.append({ type: "user", message: { role: "user", content: "What is in here?" } });
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } };
  await writer.append({
    type: "assistant",
    message: {
      role: "assistant",
      id: "msg_1",
      model,
      content: [call],
      usage: { input_tokens: 50, output_tokens: 10 },
    },
  });
  await writer.append({
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "a.ts\nb.ts" }],
    },
  });
  const answer = { type: "text", text: "Two files." };
  await writer.append({
    type: "assistant",
    message: {
      role: "assistant",
      id: "msg_2",
      model,
      content: [answer],
      usage: { input_tokens: 70, output_tokens: 20 },
    },
  });
  await writer.close();
}
