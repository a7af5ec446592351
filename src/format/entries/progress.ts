import { z } from "zod";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";
import { openUnion, type SchemasBy, type UnknownType } from "./open-union.ts";

export interface HookProgressData {
  type: "hook_progress";
  hookEvent?: string;
  hookName?: string;
  command?: string;
}

export interface BashProgressData {
  type: "bash_progress";
  output?: string;
  fullOutput?: string;
  elapsedTimeSeconds?: number;
  totalLines?: number;
  totalBytes?: number;
  taskId?: string;
  timeoutMs?: number;
}

/** An echo of a message that is also in the sub-agent's own transcript: never count it twice. */
export interface AgentProgressData {
  type: "agent_progress";
  agentId?: string;
  prompt?: string;
  message?: unknown;
  normalizedMessages?: unknown;
}

export interface McpProgressData {
  type: "mcp_progress";
  status?: string;
  serverName?: string;
  toolName?: string;
  elapsedTimeMs?: number;
}

export interface WaitingForTaskData {
  type: "waiting_for_task";
  taskDescription?: string;
  taskType?: string;
}

/** Progress of a type we do not know (seen elsewhere: `query_update`, `search_results_received`). */
export interface UnknownProgressData {
  type: UnknownType;
  [key: string]: unknown;
}

type KnownProgressData =
  | HookProgressData
  | BashProgressData
  | AgentProgressData
  | McpProgressData
  | WaitingForTaskData;

export type ProgressData = KnownProgressData | UnknownProgressData;

/** A third of all lines from 2.1.12 to 2.1.81, none since 2.1.92. They are nodes, so chains run through them. */
export interface ProgressEntry extends EntryEnvelope {
  type: "progress";
  data: ProgressData;
  toolUseID?: string;
  parentToolUseID?: string;
}

const dataSchemas: SchemasBy<"type", KnownProgressData> = {
  hook_progress: z.looseObject(maybe(z.string(), "hookEvent", "hookName", "command")),
  bash_progress: z.looseObject({
    ...maybe(z.string(), "output", "fullOutput", "taskId"),
    ...maybe(z.number(), "elapsedTimeSeconds", "totalLines", "totalBytes", "timeoutMs"),
  }),
  agent_progress: z.looseObject(maybe(z.string(), "agentId", "prompt")),
  mcp_progress: z.looseObject({
    ...maybe(z.string(), "status", "serverName", "toolName"),
    elapsedTimeMs: z.number().exactOptional(),
  }),
  waiting_for_task: z.looseObject(maybe(z.string(), "taskDescription", "taskType")),
};

export const progressEntrySchema: z.ZodType<ProgressEntry> = nodeSchema({
  type: z.literal("progress"),
  data: openUnion<ProgressData>({ key: "type", known: dataSchemas }),
  ...maybe(z.string(), "toolUseID", "parentToolUseID"),
});
