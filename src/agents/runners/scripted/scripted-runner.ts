import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type {
  AssistantEvent,
  ContentPart,
  Runner,
  RunnerEnd,
  RunnerEvent,
  RunnerMessage,
  RunnerRequest,
  UserEvent,
} from "../../../tasks/ports.ts";
import { liveOutput } from "../live-output.ts";
import { runCommand } from "./run-command.ts";
import { eachStep, isSpoken, readScript, type Script, type ScriptStep } from "./script.ts";

/**
 * Plays a script: for tests, the demo and whoever tries Holdfast without a model. Given a conversation, it goes on behind
 * the steps that are told in it.
 */
export function scriptedRunner(source: { script: string } | Script): Runner {
  return (request, signal) => {
    const script = "script" in source ? readScript(source.script) : source;
    return playScript(script, request, signal);
  };
}

const POLL_MS = 20;

async function* playScript(
  { steps: plain, prompts = {}, model = "scripted", usage = { input_tokens: 0, output_tokens: 0 } }: Script,
  request: RunnerRequest,
  signal: AbortSignal,
): AsyncGenerator<RunnerEvent, RunnerEnd> {
  const { cwd, env, tasks } = request;
  // Usage counts a message once, wherever its id occurs, so no two conversations may share one.
  const played = `scripted_${randomBytes(6).toString("hex")}`;
  let spoken = spokenBlocks(request.messages);
  // Messages that no step has heard yet.
  const told: string[] = [];
  const steps = eachStep(prompts[firstPrompt(request.messages)] ?? plain);
  let current = firstToPlay();
  while (current && !("end" in current)) {
    signal.throwIfAborted();
    if ("refuse" in current) return { reason: "refusal" };
    const next = nextStep();
    yield* perform(current, next === undefined || "end" in next ? "end_turn" : "pause_turn");
    if (isSpoken(current)) told.push(...(await request.takeMessages()));
    current = next;
  }
  return { reason: "done" };

  function nextStep(): ScriptStep | undefined {
    return steps.next().value ?? undefined;
  }

  // Behind the steps whose blocks are told. An answer that was given before what is said now is not given again.
  function firstToPlay(): ScriptStep | undefined {
    let first = nextStep();
    if (spoken === 0) return first;
    for (let known = spoken; known > 0 && first; first = nextStep()) if (isSpoken(first)) known--;
    while (first && "end" in first) first = nextStep();
    return first;
  }

  async function* perform(step: ScriptStep, stopReason: string): AsyncGenerator<RunnerEvent> {
    if ("text" in step) yield says({ type: "text", text: step.text }, stopReason);
    if ("tool" in step) {
      const use = toolUse(step.tool, step.input ?? {});
      yield says(use, "tool_use");
      yield resultOf(use, { text: step.result ?? "done", isError: step.isError === true });
    }
    if ("run" in step) yield* run(step.run);
    if ("agent" in step) yield* startAgent(step);
    if ("hear" in step) yield says({ type: "text", text: `Heard: ${await hear()}` }, stopReason);
    if ("todos" in step) yield { kind: "todos", todos: step.todos };
    if ("activity" in step) yield { kind: "activity", text: step.activity };
    if ("session" in step) yield { kind: "session", foreignSessionId: step.session };
    if ("delta" in step) yield { kind: "delta", text: step.delta };
    if ("waitFor" in step) while (!fs.existsSync(path.resolve(cwd, step.waitFor))) await wait(POLL_MS);
    if ("delayMs" in step) await wait(step.delayMs);
    if ("fail" in step) throw new Error(step.fail);
  }

  // The use is recorded before the command runs, the result before anything else happens.
  async function* run(command: string): AsyncGenerator<RunnerEvent> {
    const use = toolUse("Bash", { command });
    yield says(use, "tool_use");
    const question = { toolUseId: use.id, tool: "Bash", input: { command }, title: `Run ${command}` };
    const answer = await request.askPermission(question, signal);
    if (answer.behavior === "deny") {
      yield resultOf(use, { text: answer.message, isError: true });
      if (answer.interrupt) throw new Error("it was told to stop");
      return;
    }
    const { tellOutput } = request;
    const onOutput = liveOutput(tellOutput && ((text) => tellOutput({ toolUseId: use.id, text })));
    const { text, exitCode } = await runCommand(command, { cwd, env, signal, onOutput });
    yield resultOf(use, { text, isError: exitCode !== 0 });
  }

  async function* startAgent(step: Extract<ScriptStep, { agent: string }>): AsyncGenerator<RunnerEvent> {
    const description = step.description ?? step.agent;
    const use = toolUse("Task", { prompt: step.agent, description });
    yield says(use, "tool_use");
    let text: string;
    let isError = false;
    try {
      const started = await tasks.startAgent({
        prompt: step.agent,
        description,
        toolUseId: use.id,
        ...(step.type !== undefined && { type: step.type }),
      });
      text = step.background
        ? `agentId: ${started.taskId}`
        : JSON.stringify(await tasks.output(started.taskId, { block: true, signal }));
    } catch (error) {
      [text, isError] = [(error as Error).message, true];
    }
    yield resultOf(use, { text, isError });
  }

  async function hear(): Promise<string> {
    for (;;) {
      told.push(...(await request.takeMessages()));
      if (told.length > 0) return told.splice(0).join("; ");
      await wait(POLL_MS);
    }
  }

  function wait(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal });
  }

  function toolUse(name: string, input: Record<string, unknown>): ContentPart & { id: string } {
    return { type: "tool_use", id: `toolu_${played}_${spoken + 1}`, name, input };
  }

  function says(block: ContentPart, stopReason: string): AssistantEvent {
    return {
      kind: "assistant",
      message: {
        id: `msg_${played}_${++spoken}`,
        model: request.model ?? model,
        role: "assistant",
        type: "message",
        content: [block],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: { ...usage },
      },
    };
  }
}

function resultOf(
  use: ContentPart & { id: string },
  { text, isError }: { text: string; isError: boolean },
): UserEvent {
  const result = {
    type: "tool_result",
    tool_use_id: use.id,
    content: text,
    ...(isError && { is_error: true }),
  };
  return { kind: "user", message: { role: "user", content: [result] }, toolUseResult: text };
}

function spokenBlocks(messages: readonly RunnerMessage[]): number {
  return messages
    .filter(({ role }) => role === "assistant")
    .reduce((sum, { content }) => sum + (typeof content === "string" ? 1 : content.length), 0);
}

function firstPrompt(messages: readonly RunnerMessage[]): string {
  const content = messages[0]?.content ?? "";
  if (typeof content === "string") return content;
  const text = content.find(({ type }) => type === "text")?.["text"];
  return typeof text === "string" ? text : "";
}
