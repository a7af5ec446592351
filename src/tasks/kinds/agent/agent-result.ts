import { readJson } from "../../../lib/read-json.ts";
import type { ContentPart, AgentUsage } from "../../ports.ts";
import type { TaskFiles } from "../../record/task-files.ts";

/** What an agent left when it ended: `<id>.result.json`, synced before its host exits. */
export interface AgentResult {
  schemaVersion: 1;
  agentId: string;
  outcome: AgentOutcome;
  /** The final answer: the text of its last message. */
  content: ContentPart[];
  totalDurationMs: number;
  totalTokens: number;
  totalToolUseCount: number;
  usage: Required<AgentUsage>;
  costUsd?: number;
}

export type AgentOutcome =
  | { status: "completed" }
  | { status: "failed"; reason: AgentFailure; error: string }
  /** Stopped, or out of time. */
  | { status: "interrupted" };

/** A limit that was set for the agent, or that it could not go on. */
export type AgentFailure = "turns" | "tokens" | "cost" | "agent-error";

/** Undefined while it runs, and when its host died before it could say. */
export function readResult(files: TaskFiles): AgentResult | undefined {
  const result = readJson(files.result) as AgentResult | null | undefined;
  return result?.schemaVersion === 1 ? result : undefined;
}

/** The final answer as text. */
export function answerText({ content }: Pick<AgentResult, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [String(part["text"])] : [])).join("\n");
}
