import type { Command } from "../command.ts";
import { usageError } from "../errors.ts";
import { parseCount, parseDuration } from "../option-values.ts";

interface FleetOptions {
  slots?: number;
  label?: string[];
  replicas?: number;
  shards?: number;
  port?: number;
  lease?: number;
  node?: string[];
  watch?: boolean;
  all?: boolean;
}

const verbs = ["up", "down", "init", "config", "worker", "status", "show", "follow", "rm"] as const;

export const command: Command<FleetOptions> = {
  arguments: [
    {
      name: "what",
      text: "up, down, init, config <dir>, worker, status, show <session>, follow <session>, rm <session>",
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast fleet up", text: "a server of one node on this machine, to try it" },
    {
      line: "holdfast fleet worker --slots 4",
      text: "run agents that are sent with holdfast agent --remote",
    },
    { line: "holdfast fleet status --watch", text: "workers, load, runs, hand-overs" },
  ],
  options: [
    { flags: "--slots <n>", text: "worker: how many agents at once (2)", parse: parseCount },
    {
      flags: "--label <label>",
      text: "worker: take only runs for this label; init: make a queue for it; may be repeated",
      isRepeatable: true,
    },
    {
      flags: "--replicas <n>",
      text: "init: copies of everything, 3 on a cluster of three",
      parse: parseCount,
    },
    {
      flags: "--shards <n>",
      text: "init: streams for the logs; one carries about 500 sessions at once",
      parse: parseCount,
    },
    {
      flags: "--lease <time>",
      text: "init, up: how long a silent worker keeps its runs (30s); shorter finds a dead one sooner",
      parse: parseDuration,
    },
    { flags: "--port <n>", text: "up: where the server listens", parse: parseCount },
    {
      flags: "--node <name=host>",
      text: "config: a node of the cluster; may be repeated",
      isRepeatable: true,
    },
    { flags: "-a, --all", text: "status: ended sessions, too" },
    { flags: "-w, --watch", text: "status: refresh in place", conflicts: ["json"] },
  ],
  async run(context, { arguments: [verb, ...rest], options }) {
    const target = (): string => {
      const [first] = rest;
      if (first !== undefined && rest.length === 1) return first;
      throw usageError("fleet", `Cannot ${verb}: name one ${verb === "config" ? "folder" : "session"}`);
    };
    if (!["config", "show", "follow", "rm"].includes(verb ?? "") && rest.length > 0)
      throw usageError("fleet", `Cannot ${verb} "${rest[0]}": it takes no argument`);
    switch (verb as (typeof verbs)[number]) {
      case "up":
        return (await import("../fleet/fleet-up.ts")).fleetUp(context, options);
      case "down":
        return (await import("../fleet/fleet-up.ts")).fleetDown(context);
      case "init": {
        const { replicas, shards, label: labels, lease: leaseMs } = options;
        const { fleetInit } = await import("../fleet/fleet-init.ts");
        return fleetInit(context, { replicas, shards, labels, leaseMs });
      }
      case "config": {
        const { fleetConfig } = await import("../fleet/fleet-config.ts");
        return fleetConfig(context, { dir: target(), nodes: options.node ?? [] });
      }
      case "worker": {
        const { slots = 2, label: labels = [] } = options;
        return (await import("../fleet/fleet-worker.ts")).fleetWorker(context, { slots, labels });
      }
      case "status": {
        const { watch: isWatched = false, all: isAll = false } = options;
        return (await import("../fleet/fleet-status.ts")).fleetStatus(context, { isWatched, isAll });
      }
      case "show":
        return (await import("../fleet/fleet-sessions.ts")).showFleetSession(context, target());
      case "follow":
        return (await import("../fleet/fleet-sessions.ts")).followFleetSession(context, target());
      case "rm":
        return (await import("../fleet/fleet-sessions.ts")).removeFleetSession(context, target());
      default:
        throw usageError("fleet", `Cannot do "${verb}" with a fleet: it is one of ${verbs.join(", ")}`);
    }
  },
};
