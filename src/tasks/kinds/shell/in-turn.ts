import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { holdfastPaths } from "../../../format/paths.ts";
import { codeOf } from "../../../lib/errors.ts";
import { acquireLease, type Lease } from "../../../lib/lease.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { StartRevoked } from "../../supervise/start-process.ts";
import { startTurnMs, startWaitMs } from "./limits.ts";

/**
 * Starts what only one process of a home may start at a time, again while others who do not wait are faster. Throws
 * `conflict` when another one takes its turn for so long that it must have been suspended.
 */
export async function inTurn<Started>(home: string, start: () => Promise<Started>): Promise<Started> {
  const file = path.join(ensurePrivateDir(holdfastPaths(home).waitingDir), "starting");
  const deadline = performance.now() + startWaitMs;
  for (; ; await setTimeout(startTurnMs)) {
    let lease: Lease | undefined;
    try {
      lease = acquireLease(file, { subject: "the start of a task" });
      return await start();
    } catch (error) {
      const mayTryAgain = lease ? error instanceof StartRevoked : codeOf(error) === "conflict";
      if (!mayTryAgain || performance.now() > deadline) throw error;
    } finally {
      lease?.release();
    }
  }
}
