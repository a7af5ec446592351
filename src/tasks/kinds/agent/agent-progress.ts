import { readJson } from "../../../lib/read-json.ts";
import type { AgentTodo, AgentUsage } from "../../ports.ts";
import type { TaskFiles } from "../../record/task-files.ts";
import type { QuestionInput } from "./question-input.ts";

export type WholeUsage = Required<AgentUsage>;

export const noUsage: WholeUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** The progress of an agent, as others see it while it runs: `<id>.progress.json`, always replaced as a whole. */
export interface AgentProgress {
  schemaVersion: 1;
  /** Distinct messages of the agent. */
  turns: number;
  toolUses: number;
  /** All tokens in and out, cached ones included. */
  tokens: number;
  usage: WholeUsage;
  /** Absent when it is not reckoned yet, or no price is known. */
  costUsd?: number;
  /** The last five, oldest first. */
  activities: AgentActivity[];
  /** What it last said, in one line. */
  summary?: string;
  todos?: AgentTodo[];
  /** Somebody has to answer before it goes on. */
  needsInput?: NeededInput;
  /** The id under which the agent itself keeps the conversation. */
  foreignSessionId?: string;
  /** Of a main session: whether it is in the background now. */
  isBackgrounded?: boolean;
  updatedAt: string;
}

export interface AgentActivity {
  at: string;
  /** The tool that it used; absent for anything else that happened. */
  tool?: string;
  text: string;
}

/** A question about a tool that waits for an answer. Written by older versions, it has no input. */
export interface NeededInput extends Partial<QuestionInput> {
  /** What an answer names; no other question has it. */
  requestId: string;
  toolUseId: string;
  tool: string;
  title: string;
  /** What the model says about it. */
  said?: string;
  since: string;
}

/** Undefined before the first message, and for tasks that are no agents. */
export function readProgress(files: TaskFiles): AgentProgress | undefined {
  const progress = readJson(files.progress) as AgentProgress | null | undefined;
  return progress?.schemaVersion === 1 ? progress : undefined;
}
