import { checkedOutBranch } from "../../lib/checked-out-branch.ts";
import { foldersOfferedMax } from "../limits.ts";
import type { TaskRow } from "../../tasks/live/task-row.ts";
import type { StartingPlace } from "./starting-place.ts";

/** What a start box offers in a folder. */
export interface StartChoicesView {
  cwd: string;
  agents: { name: string; isFound: boolean; isDefault: boolean }[];
  types: { name: string; description: string }[];
  permission: string;
  model: string | null;
  isGit: boolean;
  fleet: boolean;
  /** Folders in which something was started lately, newest first. */
  folders: string[];
}

export async function startChoices(
  { agents, settings, fleet }: StartingPlace,
  { cwd, rows }: { cwd: string; rows: readonly TaskRow[] },
): Promise<StartChoicesView> {
  const [known, types, settled, hasFleet] = await Promise.all([
    agents.known(),
    agents.types({ cwd }),
    settings.list({ cwd }),
    fleet.isKnown(),
  ]);
  const set = new Map(settled.settings.map(({ key, value }) => [key, value]));
  const first = known.find(({ isFound }) => isFound)?.name;
  const usual = (set.get("agent") as string | undefined) ?? first;
  return {
    cwd,
    agents: known.map(({ name, isFound }) => ({ name, isFound, isDefault: name === usual })),
    types: types.types.map(({ name, description }) => ({ name, description })),
    permission: String(set.get("permission")),
    model: (set.get("model") as string | undefined) ?? null,
    isGit: checkedOutBranch(cwd) !== undefined,
    fleet: hasFleet,
    folders: [...new Set(rows.map((row) => row.cwd))].slice(0, foldersOfferedMax),
  };
}
