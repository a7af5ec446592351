import type Anthropic from "@anthropic-ai/sdk";
import { setTimeout as wait } from "node:timers/promises";
import { answerTokensMax, unfinishedAnswersMax } from "./limits.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { ContentPart, RunnerEnd, RunnerEvent, RunnerRequest } from "../../../tasks/ports.ts";
import type { AnthropicRunnerOptions } from "./anthropic-runner.ts";
import { askModel } from "./api/ask-model.ts";
import { Conversation, markLast } from "./api/conversation.ts";
import { resolveModel } from "./api/models.ts";
import { openClient } from "./api/open-client.ts";
import type { Answer } from "./api/read-answer.ts";
import { writeSystemPrompt } from "./api/system-prompt.ts";
import { runnerError } from "../errors.ts";
import { runTools, type ToolUse } from "./run-tools.ts";
import { KnownFiles } from "./tools/known-files.ts";
import { toolsNamed } from "./tools/tool-list.ts";
import type { Tool, ToolPlace } from "./tools/tool.ts";

/** One run of an agent: its conversation, what it knows, and the turns that it takes. */
export async function* runAnthropicAgent(
  options: AnthropicRunnerOptions,
  request: RunnerRequest,
  signal: AbortSignal,
): AsyncGenerator<RunnerEvent, RunnerEnd> {
  const { clock = systemClock, random = Math.random } = options;
  const { delay = (ms, until) => wait(ms, undefined, { signal: until }) } = options;
  const { cwd, env, tasks, tellOutput, keepOutput, whyDenied } = request;
  const client = openClient(options, env);
  const tools = toolsNamed(request.tools);
  const place = {
    cwd,
    env,
    tasks,
    tellOutput,
    keepOutput,
    knownFiles: new KnownFiles(),
    todos: { current: [] },
    mayRead: readerOf(whyDenied),
  };
  const conversation = new Conversation(request.messages);
  const fixed = fixedParams(request, { tools, model: options.model, today: clock.now() });
  let unfinished = 0;
  yield* listen();
  for (;;) {
    signal.throwIfAborted();
    const end = yield* takeTurn();
    if (end && end.reason !== "done") return end;
    const wasTold = yield* listen();
    if (end && !wasTold) return end;
  }

  // Takes in what was said meanwhile. True when something was.
  async function* listen(): AsyncGenerator<RunnerEvent, boolean> {
    const texts = await request.takeMessages();
    for (const content of texts) {
      yield { kind: "user", message: { role: "user", content } };
      conversation.add({ role: "user", content });
    }
    return texts.length > 0;
  }

  // One answer of the model and the tools that it uses. Undefined when the model is to go on.
  async function* takeTurn(): AsyncGenerator<RunnerEvent, RunnerEnd | undefined> {
    // Parts are what the API gave, what tools made for it, or what the store made fit for it.
    const messages = conversation.withCacheMarks() as unknown as Anthropic.MessageParam[];
    const { takeRequest } = request;
    const asking = { signal, delay, random, now: () => clock.now(), takeRequest };
    const { requestId, ...answer } = yield* askModel(client, { ...fixed, messages }, asking);
    const { content, stop_reason: stopReason } = answer.message;
    // A message without a block was paid for, too.
    for (const part of content.length > 0 ? content.map((each) => [each]) : [[]]) {
      const message = { ...answer.message, content: part };
      yield { kind: "assistant", message, ...(requestId !== undefined && { requestId }) };
    }
    conversation.add({ role: "assistant", content });
    const uses = toolUsesOf(answer);
    if (uses.length > 0) yield* useTools(uses);
    return endAfter(stopReason, { hasUses: uses.length > 0 });
  }

  async function* useTools(uses: readonly ToolUse[]): AsyncGenerator<RunnerEvent, void> {
    const { results, isInterrupted } = yield* runTools(uses, {
      tools,
      place,
      askPermission: (asked, until) => request.askPermission(asked, until),
      whyDenied: request.whyDenied,
      signal,
    });
    conversation.add({ role: "user", content: results });
    if (isInterrupted)
      throw runnerError(
        "run_interrupted",
        "Cannot continue: a tool was denied, and you asked to stop the run",
      );
  }

  function endAfter(stopReason: string | null, { hasUses }: { hasUses: boolean }): RunnerEnd | undefined {
    const isCut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
    if (stopReason === "refusal") return { reason: "refusal" };
    if (!hasUses && isCut) return { reason: "max_tokens" };
    if (!hasUses && stopReason !== "pause_turn") return { reason: "done" };
    // Whoever pauses, or is cut off inside a tool use, may go on, but not forever.
    unfinished = isCut || stopReason === "pause_turn" ? unfinished + 1 : 0;
    return unfinished > unfinishedAnswersMax ? { reason: "max_tokens" } : undefined;
  }
}

function readerOf(whyDenied: RunnerRequest["whyDenied"]): ToolPlace["mayRead"] {
  return (
    whyDenied &&
    (async (file) => {
      const read = { toolUseId: "", tool: "Read", input: { file_path: file }, title: `Read ${file}` };
      return (await whyDenied(read)) === undefined;
    })
  );
}

// The same in every request of a run, so that the API can keep it.
function fixedParams(
  request: RunnerRequest,
  { tools, model, today }: { tools: readonly Tool[]; model: string | undefined; today: Date },
): Omit<Anthropic.MessageCreateParamsStreaming, "messages"> {
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema as Anthropic.Tool.InputSchema,
  }));
  return {
    model: resolveModel(request.model, model, request.env["ANTHROPIC_MODEL"]),
    max_tokens: answerTokensMax,
    stream: true,
    system: markLast([{ type: "text", text: writeSystemPrompt(request, today) }]),
    ...(definitions.length > 0 && { tools: markLast(definitions) }),
  };
}

function toolUsesOf({ message, brokenInputs, tokensMax }: Answer & { tokensMax: number }): ToolUse[] {
  return message.content
    .filter(({ type }) => type === "tool_use")
    .map((part: ContentPart) => ({
      id: String(part["id"]),
      name: String(part["name"]),
      input: part["input"] as Record<string, unknown>,
      refusal: whyNotRun(message.stop_reason, {
        brokenInput: brokenInputs.get(String(part["id"])),
        tokensMax,
      }),
    }));
}

function whyNotRun(
  stopReason: string | null,
  { brokenInput, tokensMax }: { brokenInput: string | undefined; tokensMax: number },
): string | undefined {
  if (stopReason === "refusal") return "Not run: the message was refused";
  if (brokenInput === undefined) return undefined;
  if (stopReason === "max_tokens")
    return `Not run: the message was cut off at ${tokensMax} tokens, inside this input; do it in smaller parts`;
  return `Not run: the input is not a JSON object (${brokenInput.length} characters); send it again`;
}
