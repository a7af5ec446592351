import { z } from "zod";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { NoticeView } from "./notice-view.ts";
import type { TaskDetailsView } from "./task-details-view.ts";
import type { RunView, StateView, TaskView } from "./task-view.ts";

// The views of tasks as schemas, for who checks what came out of a process. In a file of their own: zod takes as long to
// load as a whole command takes to run. Objects are loose: a later version may say more.

const moment = z.iso.datetime();
const count = z.number().int().nonnegative();

/** A question that an agent waits with. */
export const questionSchema: z.ZodType<NonNullable<StateView["needsInput"]>> = z.looseObject({
  requestId: z.string(),
  toolUseId: z.string(),
  tool: z.string(),
  title: z.string(),
  since: moment,
});

export const runSchema: z.ZodType<RunView> = z.looseObject({
  sessionId: z.string(),
  run: count,
  url: z.string(),
});

const stateShape = {
  status: z.enum(["queued", "running", "completed", "failed", "stopped", "lost"]),
  endedAt: moment.nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  pid: z.number().int().nullable(),
  place: count.exactOptional(),
  survivors: z.looseObject({ exitCode: z.number(), pids: z.array(z.number()) }).exactOptional(),
  unseen: z.looseObject({ host: z.string(), lastBeatAt: moment.exactOptional() }).exactOptional(),
  needsInput: questionSchema.exactOptional(),
  reason: z
    .enum(["exit", "timeout", "output-limit", "turns", "tokens", "cost", "agent-error"])
    .exactOptional(),
  stoppedBy: z.string().exactOptional(),
  stopReason: z.string().nullable().exactOptional(),
  cause: z.string().exactOptional(),
};

const progressSchema: z.ZodType<AgentProgress> = z.looseObject({
  schemaVersion: z.literal(1),
  turns: count,
  toolUses: count,
  tokens: count,
  usage: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  }),
  costUsd: z.number().exactOptional(),
  activities: z.array(z.looseObject({ at: moment, tool: z.string().exactOptional(), text: z.string() })),
  summary: z.string().exactOptional(),
  todos: z
    .array(z.looseObject({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) }))
    .exactOptional(),
  needsInput: questionSchema.exactOptional(),
  foreignSessionId: z.string().exactOptional(),
  isBackgrounded: z.boolean().exactOptional(),
  updatedAt: moment,
});

const taskShape = {
  ...stateShape,
  id: z.string(),
  kind: z.enum(["local_bash", "local_agent", "remote_agent"]),
  name: z.string().nullable(),
  description: z.string(),
  command: z.string(),
  cwd: z.string(),
  sessionId: z.string().nullable(),
  startedAt: moment,
  outputFile: z.string(),
  restarts: z.string().exactOptional(),
  agentId: z.string().exactOptional(),
  agentType: z.string().exactOptional(),
  runner: z.string().nullable().exactOptional(),
  model: z.string().nullable().exactOptional(),
  prompt: z.string().exactOptional(),
  transcript: z.looseObject({ sessionId: z.string(), path: z.string() }).exactOptional(),
  continues: z.string().nullable().exactOptional(),
  progress: progressSchema.nullable().exactOptional(),
  remote: runSchema.exactOptional(),
};

/** Where a task is in its life; its ending when it has one. */
export const stateSchema: z.ZodType<StateView> = z.looseObject(stateShape);

export const taskSchema: z.ZodType<TaskView> = z.looseObject(taskShape);

export const taskDetailsSchema: z.ZodType<TaskDetailsView> = z.looseObject({
  ...taskShape,
  toolUseId: z.string().nullable(),
  stderrFile: z.string().nullable(),
  recordFile: z.string(),
  settings: z.looseObject({
    shell: z.string(),
    merged: z.boolean(),
    tty: z.boolean(),
    sandbox: z.boolean(),
    stdin: z.boolean(),
    timeoutMs: z.number().exactOptional(),
    outputBytesMax: z.number(),
    keepTail: z.boolean(),
    niceness: z.number().exactOptional(),
    waitsFor: z.looseObject({ bases: z.array(z.string()), slots: count }).exactOptional(),
  }),
  launcher: z.looseObject({ pid: count, host: z.string() }),
  notice: z
    .discriminatedUnion("status", [
      z.looseObject({ status: z.literal("consumed"), by: z.string(), at: moment }),
      z.looseObject({ status: z.literal("muted") }),
      z.looseObject({ status: z.literal("queued") }),
    ])
    .nullable(),
  isRetained: z.boolean(),
});

export const noticeSchema: z.ZodType<NoticeView> = z.looseObject({
  taskId: z.string(),
  status: z.enum(["completed", "failed", "stopped", "lost"]),
  summary: z.string(),
  text: z.string(),
  sessionId: z.string().nullable(),
  cwd: z.string(),
  endedAt: moment,
});
