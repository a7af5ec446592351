import type { EventDraft } from "../../events/event-uuid.ts";
import type { TaskStarted, TaskUsage } from "../../events/task-event.ts";
import type { TaskRecord } from "../../record/task-record.ts";
import type { AgentProgress } from "./agent-progress.ts";
import type { AgentResult } from "./agent-result.ts";

/** What the start of an agent tells beside what every start does. */
export function agentStart({
  agent,
}: TaskRecord): Pick<TaskStarted, "subagent_type" | "prompt" | "spawn_depth" | "parent_task_id"> {
  if (!agent) return {};
  return {
    subagent_type: agent.type,
    prompt: agent.prompt,
    spawn_depth: agent.depth,
    ...(agent.parentTaskId !== undefined && { parent_task_id: agent.parentTaskId }),
  };
}

/** What became different between two looks at an agent's progress. */
export function* progressEvents(
  record: TaskRecord,
  { before, now }: { before: AgentProgress | undefined; now: AgentProgress },
): Generator<EventDraft> {
  const { id, description, toolUseId, agent } = record;
  if (before?.updatedAt !== now.updatedAt || before.tokens !== now.tokens) {
    const lastTool = now.activities.findLast(({ tool }) => tool !== undefined)?.tool;
    yield {
      type: "system",
      subtype: "task_progress",
      task_id: id,
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      description,
      ...(agent && { subagent_type: agent.type }),
      usage: {
        total_tokens: now.tokens,
        tool_uses: now.toolUses,
        duration_ms: Math.max(0, Date.parse(now.updatedAt) - Date.parse(record.startedAt)),
      },
      ...(lastTool !== undefined && { last_tool_name: lastTool }),
      ...(now.summary !== undefined && { summary: now.summary }),
    };
  }
  if (before?.needsInput?.requestId !== now.needsInput?.requestId) {
    yield {
      type: "system",
      subtype: "task_updated",
      task_id: id,
      patch: now.needsInput ? { status: "paused", needs_input: now.needsInput } : { status: "running" },
    };
  }
  if (before && now.isBackgrounded !== undefined && before.isBackgrounded !== now.isBackgrounded) {
    const patch = { is_backgrounded: now.isBackgrounded };
    yield { type: "system", subtype: "task_updated", task_id: id, patch };
  }
}

export function usageOf(result: AgentResult): TaskUsage {
  return {
    total_tokens: result.totalTokens,
    tool_uses: result.totalToolUseCount,
    duration_ms: result.totalDurationMs,
  };
}
