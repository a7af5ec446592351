import os from "node:os";
import path from "node:path";
import { runWorker, type WorkerEvent } from "../../../fleet/runs/worker.ts";
import { workerSlotsMax } from "../../../fleet/runs/limits.ts";
import { holdfastPaths } from "../../../format/paths.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { CommandContext } from "../command.ts";
import { cliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { ownPrograms } from "../../../runtime/own-programs.ts";
import { hostRuns } from "../../../fleet/runs/host-run.ts";
import { openFleet } from "./open-fleet.ts";

/** `holdfast fleet worker`: runs agents until it is ended, then gives back what it had. */
export async function fleetWorker(
  context: CommandContext,
  { slots, labels }: { slots: number; labels: readonly string[] },
): Promise<void> {
  if (slots > workerSlotsMax)
    throw cliError("usage", `Cannot run ${slots} agents at once: the limit is ${workerSlotsMax}`);
  const { environment } = context;
  const stop = new AbortController();
  endGently(stop);
  const connection = await openFleet(context, "worker");
  try {
    const runsDir = ensurePrivateDir(path.join(holdfastPaths(environment.home).fleetDir, "runs"));
    const tell = async (event: WorkerEvent): Promise<void> => {
      const line = context.isJson
        ? JSON.stringify({ ...event, at: new Date().toISOString() })
        : terminalLine(textOf(event, slots));
      await context.writeLines([line]);
    };
    await runWorker(connection, {
      runAgent: hostRuns({
        programs: ownPrograms(),
        connection,
        runsDir,
        configDir: environment.configDir,
        env: environment.variables,
      }),
      host: os.hostname(),
      slots,
      labels,
      signal: stop.signal,
      onEvent: (event) => void tell(event),
    });
  } finally {
    await connection.close();
  }
}

// Instead of ending at once, as other commands do. The second signal does: then the leases run out, and others go on.
function endGently(stop: AbortController): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted);
      stop.abort();
    });
  }
}

function textOf(event: WorkerEvent, slots: number): string {
  switch (event.kind) {
    case "ready":
      return `Worker ${event.workerId} waits for runs (${slots} at once). Ctrl+C gives back what it has and ends.`;
    case "started":
      return `${event.sessionId} started${event.deliveries > 1 ? `, taken over (delivery ${event.deliveries})` : ""}`;
    case "ended":
      return `${event.sessionId} ${event.status}`;
    case "given-back":
      return `${event.sessionId} given back`;
    case "fenced":
      return `${event.sessionId} is another worker's by now; stopped here`;
    case "failed":
      return `${event.sessionId} dropped: ${messageOf(event.error)}`;
  }
}
