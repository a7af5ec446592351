import type { Task } from "../../../index.ts";

/** States as they are typed. */
export const shownStatuses = [
  "queued",
  "running",
  "needs-input",
  "completed",
  "failed",
  "stopped",
  "lost",
] as const;
/** What people call the kinds of tasks. */
export const shownKinds = ["shell", "agent", "remote"] as const;

const kinds = { shell: "local_bash", agent: "local_agent", remote: "remote_agent" } as const;

export interface TaskFilterOptions {
  status?: readonly (typeof shownStatuses)[number][] | undefined;
  kind?: readonly (typeof shownKinds)[number][] | undefined;
  name?: string | undefined;
}

/** What the options ask for; undefined when that is everything. */
export function taskFilter({ status, kind, name }: TaskFilterOptions): ((task: Task) => boolean) | undefined {
  if (!status && !kind && name === undefined) return undefined;
  const wantedKinds: readonly string[] | undefined = kind?.map((each) => kinds[each]);
  return ({ record, state }) => {
    const asks = state.status === "running" && state.needsInput !== undefined;
    return (
      (!status || status.includes(state.status) || (asks && status.includes("needs-input"))) &&
      (!wantedKinds || wantedKinds.includes(record.kind)) &&
      (name === undefined || record.name?.toLowerCase().includes(name.toLowerCase()) === true)
    );
  };
}

export function asksForEnded(status: TaskFilterOptions["status"] = []): boolean {
  return status.some((each) => !["queued", "running", "needs-input"].includes(each));
}
