import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../../format/paths.ts";
import { livenessOf, type ProcessIdentity } from "../../../lib/process-identity.ts";

/** Ends the server that `fleet up` started on the stage: it would outlive the tour. */
export function killServer(home: string): void {
  const file = path.join(holdfastPaths(home).fleetDir, "server.json");
  if (!fs.existsSync(file)) return;
  const server = JSON.parse(fs.readFileSync(file, "utf8")) as { process: ProcessIdentity };
  if (livenessOf(server.process) === "alive") process.kill(server.process.pid, "SIGKILL");
}
