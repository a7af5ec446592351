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
import { runCommand } from "./run-command.ts";
import { flatSteps, isSpoken, readScript, type Script, type ScriptStep } from "./script.ts";

/**
 * Plays a script: for tests, the demo and whoever tries Holdfast without a model. Given a conversation, it goes on behind
 * the steps that are told in it.
 */
export function scriptedRunner(source: { script: string } | Script): Runner {
  return (request, signal) => {
    const script = "script" in source ? readScript(source.script) : source;
    return new ScriptPlayer(script, request, signal).play();
  };
}

const POLL_MS = 20;

class ScriptPlayer {
  readonly #script: Script;
  readonly #request: RunnerRequest;
  readonly #signal: AbortSignal;
  #spoken: number;
  /** Messages that no step has heard yet. */
  #told: string[] = [];

  constructor(script: Script, request: RunnerRequest, signal: AbortSignal) {
    this.#script = script;
    this.#request = request;
    this.#signal = signal;
    this.#spoken = spokenBlocks(request.messages);
  }

  async *play(): AsyncGenerator<RunnerEvent, RunnerEnd> {
    const steps = this.#stepsToPlay();
    for (const [at, step] of steps.entries()) {
      this.#signal.throwIfAborted();
      if ("end" in step) return { reason: "done" };
      if ("refuse" in step) return { reason: "refusal" };
      const next = steps[at + 1];
      yield* this.#perform(step, { isLast: next === undefined || "end" in next });
      if (isSpoken(step)) this.#told.push(...(await this.#request.takeMessages()));
    }
    return { reason: "done" };
  }

  // Behind the steps whose blocks are told. An answer that was given before what is said now is not given again.
  #stepsToPlay(): ScriptStep[] {
    const { steps, prompts = {} } = this.#script;
    const all = flatSteps(prompts[firstPrompt(this.#request.messages)] ?? steps);
    let told = this.#spoken;
    let begin = 0;
    while (told > 0 && begin < all.length) if (isSpoken(all[begin++]!)) told--;
    while (begin > 0 && all[begin] !== undefined && "end" in all[begin]!) begin++;
    return all.slice(begin);
  }

  async *#perform(step: ScriptStep, { isLast }: { isLast: boolean }): AsyncGenerator<RunnerEvent> {
    if ("text" in step) yield this.#says({ type: "text", text: step.text }, isLast ? "end_turn" : null);
    if ("tool" in step) {
      const use = this.#toolUse(step.tool, step.input ?? {});
      yield this.#says(use, "tool_use");
      yield resultOf(use, { text: step.result ?? "done", isError: step.isError === true });
    }
    if ("run" in step) yield* this.#run(step.run);
    if ("agent" in step) yield* this.#startAgent(step);
    if ("hear" in step) {
      const heard = await this.#hear();
      yield this.#says({ type: "text", text: `Heard: ${heard}` }, isLast ? "end_turn" : null);
    }
    if ("todos" in step) yield { kind: "todos", todos: step.todos };
    if ("activity" in step) yield { kind: "activity", text: step.activity };
    if ("session" in step) yield { kind: "session", foreignSessionId: step.session };
    if ("delta" in step) yield { kind: "delta", text: step.delta };
    if ("waitFor" in step) {
      const file = path.resolve(this.#request.cwd, step.waitFor);
      while (!fs.existsSync(file)) await this.#wait(POLL_MS);
    }
    if ("delayMs" in step) await this.#wait(step.delayMs);
    if ("fail" in step) throw new Error(step.fail);
  }

  // The use is recorded before the command runs, the result before anything else happens.
  async *#run(command: string): AsyncGenerator<RunnerEvent> {
    const { cwd, env } = this.#request;
    const use = this.#toolUse("Bash", { command });
    yield this.#says(use, "tool_use");
    const answer = await this.#request.askPermission(
      { toolUseId: use.id, tool: "Bash", input: { command }, title: `Run ${command}` },
      this.#signal,
    );
    if (answer.behavior === "deny") {
      yield resultOf(use, { text: answer.message, isError: true });
      if (answer.interrupt) throw new Error("it was told to stop");
      return;
    }
    const { text, exitCode } = await runCommand(command, { cwd, env, signal: this.#signal });
    yield resultOf(use, { text, isError: exitCode !== 0 });
  }

  async *#startAgent(step: Extract<ScriptStep, { agent: string }>): AsyncGenerator<RunnerEvent> {
    const { tasks } = this.#request;
    const description = step.description ?? step.agent;
    const use = this.#toolUse("Task", { prompt: step.agent, description });
    yield this.#says(use, "tool_use");
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
        : JSON.stringify(await tasks.output(started.taskId, { block: true, signal: this.#signal }));
    } catch (error) {
      [text, isError] = [(error as Error).message, true];
    }
    yield resultOf(use, { text, isError });
  }

  async #hear(): Promise<string> {
    for (;;) {
      this.#told.push(...(await this.#request.takeMessages()));
      if (this.#told.length > 0) return this.#told.splice(0).join("; ");
      await this.#wait(POLL_MS);
    }
  }

  #wait(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.#signal });
  }

  // Ids come from the place in the script, so that a run that goes on makes the same ones.
  #toolUse(name: string, input: Record<string, unknown>): ContentPart & { id: string } {
    return { type: "tool_use", id: `toolu_scripted${this.#spoken + 1}`, name, input };
  }

  #says(block: ContentPart, stopReason: string | null): AssistantEvent {
    const { model = "scripted", usage = { input_tokens: 0, output_tokens: 0 } } = this.#script;
    return {
      kind: "assistant",
      message: {
        id: `msg_scripted${++this.#spoken}`,
        model: this.#request.model ?? model,
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
