import type { Agents } from "../../agents/open-agents.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Fleet } from "../fleet.ts";
import type { Variables } from "../places.ts";
import type { Settings } from "../settings.ts";

/** What work is started with. */
export interface StartingPlace {
  home: string;
  env: Variables;
  tasks: Tasks;
  agents: Agents;
  settings: Settings;
  fleet: Fleet;
}
