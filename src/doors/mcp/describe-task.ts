import type { Runtime } from "../../runtime/index.ts";

type Task = Awaited<ReturnType<Runtime["tasks"]["find"]>>;

/** A task in few words: what a model needs to go on with it. */
export function describeTask({ record, files, state }: Task): Record<string, unknown> {
  return {
    id: record.id,
    kind: record.kind,
    ...(record.name !== undefined && { name: record.name }),
    description: record.description,
    command: record.command,
    cwd: record.cwd,
    ...(record.sessionId !== undefined && { sessionId: record.sessionId }),
    startedAt: record.startedAt,
    ...state,
    outputFile: files.output,
  };
}
