/**
 * Typed views of `toolUseResult`, the structured half of a tool result. The value carries no tag, so a view
 * is chosen by the keys only that tool writes; no zod, because hooks read results on every tool call.
 */
import { isJsonObject } from "./json-object.ts";

export interface BashResult {
  stdout: string;
  stderr: string;
  interrupted?: boolean;
  isImage?: boolean;
  returnCodeInterpretation?: string;
  /** Set when the command went to the background, also without having been asked to. */
  backgroundTaskId?: string;
  assistantAutoBackgrounded?: boolean;
  /** Where output of more than about 30,000 characters was spilled. */
  persistedOutputPath?: string;
  persistedOutputSize?: number;
}

export interface AgentLaunchedResult {
  status: "async_launched";
  agentId: string;
  description?: string;
  prompt?: string;
  outputFile?: string;
  canReadOutputFile?: boolean;
  resolvedModel?: string;
}

/** 1.0.x wrote neither a status nor an agent id. */
export interface AgentCompletedResult {
  status?: "completed";
  agentId?: string;
  agentType?: string;
  prompt?: string;
  content: unknown[];
  totalDurationMs?: number;
  totalTokens?: number;
  totalToolUseCount?: number;
  usage?: unknown;
  wasInterrupted?: boolean;
}

export interface TeammateSpawnedResult {
  status: "teammate_spawned";
  teammate_id: string;
  agent_id?: string;
  name?: string;
  team_name?: string;
}

export interface TaskOutputResult {
  /** Seen: `success`, `not_ready`, `timeout`. */
  retrieval_status: string;
  task: {
    task_id?: string;
    /** Seen: `local_bash`, `local_agent`. */
    task_type?: string;
    status?: string;
    description?: string;
    output?: string;
    exitCode?: number | null;
  } | null;
}

export interface TaskStopResult {
  message: string;
  task_id: string;
  task_type: string;
  command?: string;
}

export interface TodoWriteResult {
  oldTodos: unknown[];
  newTodos: unknown[];
}

export interface TaskCreateResult {
  task: { id: string; subject?: string };
}

export interface TaskUpdateResult {
  success: boolean;
  taskId: string;
  updatedFields?: string[];
  statusChange?: { from?: string; to?: string };
  error?: string;
}

export interface TaskListResult {
  tasks: unknown[];
}

export type ToolUseResult =
  | { readonly kind: "bash"; readonly result: BashResult }
  | { readonly kind: "agent-launched"; readonly result: AgentLaunchedResult }
  | { readonly kind: "agent-completed"; readonly result: AgentCompletedResult }
  | { readonly kind: "teammate-spawned"; readonly result: TeammateSpawnedResult }
  | { readonly kind: "task-output"; readonly result: TaskOutputResult }
  | { readonly kind: "task-stop"; readonly result: TaskStopResult }
  | { readonly kind: "todo-write"; readonly result: TodoWriteResult }
  | { readonly kind: "task-create"; readonly result: TaskCreateResult }
  | { readonly kind: "task-update"; readonly result: TaskUpdateResult }
  | { readonly kind: "task-list"; readonly result: TaskListResult }
  /** Mostly the text of an error. */
  | { readonly kind: "text"; readonly result: string }
  /** Content blocks of an MCP tool. */
  | { readonly kind: "content"; readonly result: unknown[] }
  | { readonly kind: "other"; readonly result: unknown };

/**
 * Says which tool's result a value is, by shape. The keys that make the choice were checked; the optional
 * ones are as the client writes them. Whatever matches nothing is `other`, unchanged.
 */
export function parseToolUseResult(value: unknown): ToolUseResult {
  if (typeof value === "string") return { kind: "text", result: value };
  if (Array.isArray(value)) return { kind: "content", result: value };
  if (!isJsonObject(value)) return { kind: "other", result: value };
  const kind = kindOf(value);
  return { kind, result: value } as unknown as ToolUseResult;
}

function kindOf(value: Record<string, unknown>): ToolUseResult["kind"] {
  const { status, task } = value;
  if (status === "async_launched" && typeof value["agentId"] === "string") return "agent-launched";
  if (status === "teammate_spawned" && typeof value["teammate_id"] === "string") return "teammate-spawned";
  if (Array.isArray(value["content"]) && typeof value["totalDurationMs"] === "number")
    return "agent-completed";
  if (typeof value["retrieval_status"] === "string" && (task === null || isJsonObject(task)))
    return "task-output";
  if (["message", "task_id", "task_type"].every((key) => typeof value[key] === "string")) return "task-stop";
  if (Array.isArray(value["oldTodos"]) && Array.isArray(value["newTodos"])) return "todo-write";
  if (typeof value["success"] === "boolean" && typeof value["taskId"] === "string") return "task-update";
  if (isJsonObject(task) && typeof task["id"] === "string") return "task-create";
  if (Array.isArray(value["tasks"])) return "task-list";
  // BashOutput of 1.0.x also has stdout and stderr; its shell id tells it apart.
  const isBash = typeof value["stdout"] === "string" && typeof value["stderr"] === "string";
  return isBash && value["shellId"] === undefined ? "bash" : "other";
}
