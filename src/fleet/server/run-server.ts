import { spawn } from "node:child_process";
import fs from "node:fs";
import { serverStartMs } from "./limits.ts";
import { fleetError } from "../errors.ts";

export interface ServerStart {
  /** The program. */
  file: string;
  configFile: string;
  logFile: string;
  monitorPort: number;
}

/** Starts a server in a session of its own, so that it outlives this process. Returns its pid; see `waitUntilWell`. */
export async function startServer({ file, configFile, logFile }: ServerStart): Promise<number> {
  const log = fs.openSync(logFile, "a", 0o600);
  try {
    const child = spawn(file, ["--config", configFile], { detached: true, stdio: ["ignore", log, log] });
    const pid = await new Promise<number>((resolve, reject) => {
      child.once("spawn", () => resolve(child.pid!));
      child.once("error", reject);
    });
    child.unref();
    return pid;
  } finally {
    fs.closeSync(log);
  }
}

/** Waits until the server takes writes: of a cluster, until it knows its leader and has caught up. */
export async function waitUntilWell(
  { logFile, monitorPort }: Pick<ServerStart, "logFile" | "monitorPort">,
  { isAlive }: { isAlive: () => boolean },
): Promise<void> {
  const giveUpAt = performance.now() + serverStartMs;
  while (!(await isWell(monitorPort))) {
    if (!isAlive() || performance.now() > giveUpAt) {
      const why = isAlive() ? "it is not ready in time" : "it ended at once";
      throw fleetError("fleet_unreachable", `Cannot start the server: ${why}${lastWords(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isWell(monitorPort: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`, {
      signal: AbortSignal.timeout(2000),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

// The server's log says why; the last line that is an error is the reason.
function lastWords(logFile: string): string {
  const lines = fs.existsSync(logFile) ? fs.readFileSync(logFile, "utf8").trim().split("\n") : [];
  const error = lines.findLast((line) => /\[(?:ERR|FTL)\]|error/i.test(line));
  return error === undefined ? "" : ` (${error.replace(/^.*\[(?:ERR|FTL)\] /, "").slice(0, 200)})`;
}
