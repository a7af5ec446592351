import os from "node:os";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { OwnPrograms } from "../../tasks/supervise/own-program.ts";
import { fleetError } from "../errors.ts";
import type { FleetPlace } from "../server/fleet-address.ts";
import { withFleet } from "../server/with-fleet.ts";
import { hostRuns } from "./host-run.ts";
import { workerSlotsMax } from "./limits.ts";
import { runWorker, type WorkerOptions } from "./worker.ts";

export type HomeWorkerOptions = Pick<WorkerOptions, "slots" | "labels" | "signal" | "onEvent">;

/**
 * Runs agents of the fleet below this home until the signal, then gives back what it had. Throws `fleet_invalid` for more
 * slots than a worker may have, and what `runWorker` throws.
 */
export async function runHomeWorker(
  place: FleetPlace,
  programs: OwnPrograms,
  options: HomeWorkerOptions,
): Promise<void> {
  const { slots } = options;
  if (slots > workerSlotsMax)
    throw fleetError("fleet_invalid", `Cannot run ${slots} agents at once: the limit is ${workerSlotsMax}`);
  const { home, configDir, variables: env } = place;
  const runsDir = ensurePrivateDir(path.join(holdfastPaths(home).fleetDir, "runs"));
  await withFleet(place, "worker", (connection) =>
    runWorker(connection, {
      ...options,
      host: os.hostname(),
      runAgent: hostRuns({ programs, connection, runsDir, configDir, env, settings: place }),
    }),
  );
}
