// Puts the AI SDK behind a durable task: the loop is the SDK's own (`generateText` with tools), and every message that it
// makes becomes an entry of a transcript that any process can find, follow and show. A scripted model stands in for a
// real one, so that this runs without a key. In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { generateText, jsonSchema, stepCountIs, tool, type LanguageModel, type ModelMessage } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { openRuntime, type ContentPart, type Runner, type RunnerEvent } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const home = temporaryHome();
const runtime = openRuntime(home);

/** One step of the SDK is one turn of the agent: it is yielded, and with that recorded, before the next one begins. */
function aiSdkRunner(model: LanguageModel): Runner {
  return async function* (request, signal) {
    const messages: ModelMessage[] = [{ role: "user", content: request.prompt }];
    for (;;) {
      const step = await generateText({
        model,
        messages,
        tools,
        stopWhen: stepCountIs(1),
        abortSignal: signal,
      });
      messages.push(...step.response.messages);
      yield* eventsOf(step);
      if (step.finishReason !== "tool-calls") return { reason: "done" };
      for (const text of await request.takeMessages()) messages.push({ role: "user", content: text });
    }
  };
}

const tools = {
  weather: tool({
    description: "The weather of a town",
    inputSchema: jsonSchema<{ town: string }>({ type: "object", properties: { town: { type: "string" } } }),
    execute: async ({ town }) => `Rain in ${town}`,
  }),
};

type Step = Awaited<ReturnType<typeof generateText<typeof tools>>>;

function* eventsOf({ text, toolCalls, toolResults, usage, response }: Step): Generator<RunnerEvent> {
  const content: ContentPart[] = [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...toolCalls.map((call) => ({
      type: "tool_use",
      id: call.toolCallId,
      name: call.toolName,
      input: call.input,
    })),
  ];
  yield {
    kind: "assistant",
    message: {
      id: `msg_${randomUUID()}`,
      model: response.modelId,
      role: "assistant",
      type: "message",
      content,
      stop_reason: toolCalls.length > 0 ? "tool_use" : "end_turn",
      usage: { input_tokens: usage.inputTokens ?? 0, output_tokens: usage.outputTokens ?? 0 },
    },
  };
  if (toolResults.length === 0) return;
  const results = toolResults.map((result) => ({
    type: "tool_result",
    tool_use_id: result.toolCallId,
    content: String(result.output),
  }));
  yield { kind: "user", message: { role: "user", content: results } };
}

const { task, result } = await runtime.agents.run({
  prompt: "Do I need an umbrella in Bergen?",
  cwd: home.cwd,
  runner: aiSdkRunner(scriptedModel()),
  permission: "allow",
});
console.log(`task ${task.record.id} runs`);
const { content, totalTokens, totalToolUseCount } = await result;
console.log(content);
assert.deepEqual(content, [{ type: "text", text: "Yes, take one." }]);
assert.deepEqual({ totalTokens, totalToolUseCount }, { totalTokens: 30, totalToolUseCount: 1 });

// Any later process finds the same: the answer by the task, the conversation by the session.
const output = await runtime.tasks.output(task.record.id, { by: "the example" });
assert.equal(output.status, "completed");
const [session] = await runtime.sessions.list();
assert.equal(session?.firstPrompt, "Do I need an umbrella in Bergen?");
assert.equal(session.messageCount, 4);
await runtime.close();

function scriptedModel(): LanguageModel {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  let turns = 0;
  return new MockLanguageModelV3({
    doGenerate: async () =>
      turns++ === 0
        ? {
            content: [
              { type: "tool-call", toolCallId: "call_1", toolName: "weather", input: '{"town":"Bergen"}' },
            ],
            finishReason: { unified: "tool-calls", raw: undefined },
            usage,
            warnings: [],
          }
        : {
            content: [{ type: "text", text: "Yes, take one." }],
            finishReason: { unified: "stop", raw: undefined },
            usage,
            warnings: [],
          },
  });
}
