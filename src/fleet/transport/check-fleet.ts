import type { Suggestion } from "../../lib/suggestion.ts";
import { connectFleet, type FleetAddress } from "./connection.ts";
import { checkLayout, type LayoutFinding } from "./ensure-layout.ts";
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
      const ok = (what: string): FleetFinding => ({ status: "ok", what });
      const server = ok(`server ${nc.info?.version} at ${nc.getServer()}`);
      const shape = await shapeOf();
      const wrong = (await checkLayout(connection, shape)).filter(({ state }) => state !== "there");
      if (wrong.length > 0) return [server, ...wrong.map((finding) => wrongLayout(finding, shape))];
      const streams = ok(`streams with ${shape.replicas === 1 ? "one copy" : `${shape.replicas} copies`}`);
      const { length: workers } = await listWorkers(connection);
      if (workers > 0) return [server, streams, ok(workers === 1 ? "one worker" : `${workers} workers`)];
      const suggestion = { verb: "fleet worker" };
      return [server, streams, { status: "warn", what: "no worker is there", suggestion }];

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

function wrongLayout(
  { name, state, settings }: LayoutFinding,
  { replicas = 1, shards = 1 }: FleetShape,
): FleetFinding {
  const which = settings.length > 0 ? ` (${settings.join(", ")})` : "";
  const suggestion = { verb: "fleet init", options: { replicas, shards } };
  return { status: "fail", what: `${name} is ${state}${which}`, suggestion };
}
