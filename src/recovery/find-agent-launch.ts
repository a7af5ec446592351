import { matchId } from "../lib/match-id.ts";
import { everyLaunch } from "./launches-since.ts";
import { openLookContext } from "./open-look-context.ts";
import { lookAtLaunch } from "./look-at-launch.ts";
import type { RecoverOptions } from "./recover-options.ts";
import type { RecoveredItem } from "./recovered-item.ts";

/** An agent that a client launched, and its transcript, which may be gone. */
export interface AgentLaunch {
  item: RecoveredItem;
  transcript: string | undefined;
}

/** The agent of a client that the manifests name, by its id or a beginning that only one has; undefined when there is none. */
export function findAgentLaunch(
  options: Pick<RecoverOptions, "home" | "configDir" | "clock">,
  id: string,
): AgentLaunch | undefined {
  const launches = everyLaunch(options.home).filter(
    ({ launch }) => launch.kind === "local_agent" && launch.source === "hook",
  );
  const [launched, ...others] = matchId(launches, id, ({ launch }) => launch.agent_id);
  const item = launched && others.length === 0 ? lookAtLaunch(launched, openLookContext(options)) : undefined;
  return item && { item, transcript: launched?.launch.transcript };
}
