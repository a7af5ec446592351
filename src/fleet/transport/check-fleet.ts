import type { Suggestion } from "../../lib/suggestion.ts";
import { connectFleet, type FleetAddress } from "./connection.ts";
import { checkLayout } from "./ensure-layout.ts";
import type { FleetShape } from "./layout.ts";
import { logStream } from "./names.ts";
import { listWorkers } from "./worker-list.ts";

/** One thing that was looked at, for the doctor. */
export interface FleetFinding {
  status: "ok" | "warn" | "fail";
  what: string;
  /** What ends it. */
  suggestion?: Suggestion;
}

/** Looks at the fleet as this machine reaches it: the servers, the streams, the workers. Changes nothing, never throws. */
export async function checkFleet(
  address: FleetAddress,
  { timeoutMs = 5000 }: { timeoutMs?: number } = {},
): Promise<FleetFinding[]> {
  try {
    const connection = await connectFleet(address, { name: "holdfast doctor", timeoutMs });
    try {
      const { jsm, nc } = connection;
      const findings: FleetFinding[] = [
        { status: "ok", what: `server ${nc.info?.version} at ${nc.getServer()}` },
      ];
      const shape = await shapeOf();
      const wrong = (await checkLayout(connection, shape)).filter(({ state }) => state !== "there");
      for (const { name, state, settings } of wrong) {
        const which = settings.length > 0 ? ` (${settings.join(", ")})` : "";
        findings.push({ status: "fail", what: `${name} is ${state}${which}`, suggestion: initOf(shape) });
      }
      if (wrong.length > 0) return findings;
      findings.push({
        status: "ok",
        what: `streams with ${shape.replicas === 1 ? "one copy" : `${shape.replicas} copies`}`,
      });
      const workers = await listWorkers(connection);
      if (workers.length > 0)
        findings.push({
          status: "ok",
          what: workers.length === 1 ? "one worker" : `${workers.length} workers`,
        });
      else
        findings.push({ status: "warn", what: "no worker is there", suggestion: { verb: "fleet worker" } });
      return findings;

      // As large as it was made: only `init` chooses.
      async function shapeOf(): Promise<Required<Pick<FleetShape, "replicas" | "shards">>> {
        try {
          const { config } = await jsm.streams.info(logStream(0));
          return { replicas: config.num_replicas, shards: Number(config.metadata?.["shards"] ?? 1) };
        } catch {
          return { replicas: 1, shards: 1 };
        }
      }
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [{ status: "fail", what: (error as Error).message, suggestion: { verb: "fleet up" } }];
  }
}

function initOf({ replicas = 1, shards = 1 }: FleetShape): Suggestion {
  return { verb: "fleet init", options: { replicas, shards } };
}
