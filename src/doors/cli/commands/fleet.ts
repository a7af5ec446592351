import type { CommandFamily } from "../command.ts";
import { listed } from "../command-list.ts";

export const command: CommandFamily = {
  examples: [
    { line: "holdfast fleet up", text: "a server of one node on this machine, to try it" },
    {
      line: "holdfast fleet worker --slots 4",
      text: "run agents that are sent with holdfast agent --remote",
    },
    { line: "holdfast fleet status --watch", text: "workers, load, runs, hand-overs" },
  ],
  subcommands: [
    listed("up", "Start a server of one node on this machine", () => import("./fleet/up.ts")),
    listed("down", "Stop that server; its data stays", () => import("./fleet/down.ts")),
    listed("worker", "Run agents of the fleet on this machine", () => import("./fleet/worker.ts")),
    listed("status", "Show workers, load and sessions", () => import("./fleet/status.ts")),
    listed("show", "Read a session of any machine as a conversation", () => import("./fleet/show.ts")),
    listed("follow", "Follow a session of another machine as a task", () => import("./fleet/follow.ts")),
    listed("rm", "Remove an ended session from the servers", () => import("./fleet/rm.ts")),
    listed("config", "Write the configuration of a cluster", () => import("./fleet/config.ts")),
    listed("init", "Create or fix what the fleet needs on the servers", () => import("./fleet/init.ts")),
  ],
};
