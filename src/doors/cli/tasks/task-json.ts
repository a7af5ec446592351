import { readProgress } from "../../../tasks/kinds/agent/agent-progress.ts";
import type { AgentSettings } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { Task } from "../../../tasks/record/task.ts";
import type { TaskFiles } from "../../../tasks/record/task-files.ts";

/** A task as `--json` gives it; what it does not have is null. */
export function taskJson({ record, files, state }: Task): Record<string, unknown> {
  return {
    id: record.id,
    kind: record.kind,
    status: state.status,
    name: record.name ?? null,
    description: record.description,
    command: record.command,
    cwd: record.cwd,
    sessionId: record.sessionId ?? null,
    startedAt: record.startedAt,
    endedAt: "endedAt" in state ? state.endedAt : null,
    exitCode: "exitCode" in state ? state.exitCode : null,
    signal: "signal" in state ? (state.signal ?? null) : null,
    pid: state.status === "running" ? (state.pid ?? null) : null,
    outputFile: files.output,
    ...(record.agent && agentJson(record.agent, files)),
    ...(state.status === "queued" && { place: state.place }),
    ...(state.status === "running" && state.survivors && { survivors: state.survivors }),
    ...(state.status === "failed" && { reason: state.reason }),
    ...(state.status === "stopped" && { stoppedBy: state.stoppedBy, stopReason: state.stopReason ?? null }),
    ...(state.status === "lost" && { cause: state.cause }),
  };
}

function agentJson(agent: AgentSettings, files: TaskFiles): Record<string, unknown> {
  const progress = readProgress(files);
  return {
    agentId: agent.agentId,
    agentType: agent.type,
    runner: agent.runner?.agent ?? agent.runner?.name ?? null,
    model: agent.model ?? null,
    prompt: agent.prompt,
    transcript: agent.transcript,
    continues: agent.continues ?? null,
    progress: progress ?? null,
  };
}
