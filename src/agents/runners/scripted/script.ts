import fs from "node:fs";
import type { AgentTodo } from "../../../tasks/ports.ts";

/**
 * What a scripted agent does, one after the other. Each of `text`, `tool`, `run`, `agent` and `hear` becomes exactly one
 * block of the agent's messages, which is how a continued run knows where it was.
 */
export type ScriptStep =
  | { text: string }
  /** A tool that is only told of, with its result. */
  | { tool: string; input?: Record<string, unknown>; result?: string; isError?: boolean }
  /** A command that is really run, with the permission of whoever decides. */
  | { run: string }
  /** A sub-agent; waits for its answer unless `background`. */
  | { agent: string; description?: string; type?: string; background?: boolean }
  /** Waits for a message and says what it was. */
  | { hear: true }
  | { todos: AgentTodo[] }
  | { activity: string }
  | { session: string }
  | { delta: string }
  /** Waits until there is a file. */
  | { waitFor: string }
  | { delayMs: number }
  /** Cannot go on. */
  | { fail: string }
  | { refuse: true }
  /** Has answered; what follows is for when somebody says something more. */
  | { end: true }
  | { repeat: number; steps: ScriptStep[] };

export interface Script {
  steps: ScriptStep[];
  /** Other steps for agents whose prompt is one of these. */
  prompts?: Record<string, ScriptStep[]>;
  /** Tokens that every message costs. */
  usage?: { input_tokens: number; output_tokens: number };
  model?: string;
}

/** Throws when the file is no script. */
export function readScript(file: string): Script {
  const script = JSON.parse(fs.readFileSync(file, "utf8")) as Script | ScriptStep[];
  const whole = Array.isArray(script) ? { steps: script } : script;
  if (!Array.isArray(whole.steps)) throw new TypeError(`Cannot play script "${file}": it has no steps`);
  return whole;
}

/** The steps one by one, repeated ones as often as they say. */
export function* eachStep(steps: readonly ScriptStep[]): Generator<ScriptStep> {
  for (const step of steps) {
    if ("repeat" in step) for (let round = 0; round < step.repeat; round++) yield* eachStep(step.steps);
    else yield step;
  }
}

/** Whether a step becomes a block of the agent's messages. */
export function isSpoken(step: ScriptStep): boolean {
  return "text" in step || "tool" in step || "run" in step || "agent" in step || "hear" in step;
}
