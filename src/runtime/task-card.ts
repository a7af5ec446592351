import { streamsOf } from "../tasks/output/follow-output.ts";
import type { TaskRow } from "../tasks/live/task-row.ts";
import type { Task } from "../tasks/record/task.ts";
import type { Runtime } from "./open-runtime.ts";
import type { CostView } from "./views/cost-view.ts";
import type { OutputStreamView } from "./views/output-view.ts";
import { endingView, relationsOf, type TaskCardView } from "./views/task-card-view.ts";
import { taskDetailsView } from "./views/task-details-view.ts";
import { taskRowView } from "./views/task-row-view.ts";

/** Everything about a task, with its place among all of them. */
export async function readTaskCard(
  runtime: Pick<Runtime, "tasks" | "aside">,
  task: Task,
  all: readonly TaskRow[],
): Promise<TaskCardView> {
  const { tasks } = runtime;
  const row = await tasks.row(task);
  const [details, streams, ledger, cost, survivors, uuid] = await Promise.all([
    tasks.inspect(task),
    readStreams(runtime, task),
    tasks.ledger(task),
    costOf(runtime, task),
    survivorsOf(runtime, task),
    launchingEntry(runtime, task),
  ]);
  const { sessionId = null, toolUseId = null, launcher, agent } = task.record;
  return {
    row: taskRowView(row),
    details: taskDetailsView(task, details),
    streams,
    ending: endingView(task, survivors),
    ledger,
    launch: {
      sessionId,
      toolUseId,
      uuid,
      parentTaskId: agent?.parentTaskId ?? null,
      pid: launcher.pid,
      host: launcher.host,
    },
    cost,
    ...relationsOf(row, all),
  };
}

// The output of an agent is its conversation.
async function readStreams({ tasks }: Pick<Runtime, "tasks">, task: Task): Promise<OutputStreamView[]> {
  if (task.record.agent) return [];
  return Promise.all(
    streamsOf(task).map(async (stream) => {
      const { bytes, cutBytes, isMissing } = await tasks.window(task, { stream, bytes: 1 });
      return { stream, bytes, cutBytes, isMissing };
    }),
  );
}

async function costOf({ aside }: Pick<Runtime, "aside">, { record }: Task): Promise<CostView | null> {
  if (!record.agent) return null;
  const { sessionId, agentId } = record.agent.transcript;
  try {
    return await aside.ask("cost", { session: sessionId, agent: agentId });
  } catch {
    // Before its first message there is no transcript, and it may be gone when the task is still known.
    return null;
  }
}

// The message that launched it. Its session may be gone, or another client's that keeps none.
async function launchingEntry(
  { aside }: Pick<Runtime, "aside">,
  { record: { sessionId, toolUseId } }: Task,
): Promise<string | null> {
  if (sessionId === undefined || toolUseId === undefined) return null;
  const found = await aside.ask("toolUse", { session: sessionId, toolUseId }).catch(() => null);
  return found?.uuid ?? null;
}

// Of one that is lost nobody saw its processes end.
async function survivorsOf({ tasks }: Pick<Runtime, "tasks">, task: Task): Promise<number[]> {
  if (task.state.status !== "lost") return [];
  return ((await tasks.processes(task)) ?? []).map(({ pid }) => pid);
}
