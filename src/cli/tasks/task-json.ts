import type { Task } from "../../tasks/task.ts";

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
    ...(state.status === "queued" && { place: state.place }),
    ...(state.status === "running" && state.survivors && { survivors: state.survivors }),
    ...(state.status === "failed" && { reason: state.reason }),
    ...(state.status === "stopped" && { stoppedBy: state.stoppedBy, stopReason: state.stopReason ?? null }),
    ...(state.status === "lost" && { cause: state.cause }),
  };
}
