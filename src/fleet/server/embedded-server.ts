import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { connectFleet } from "../transport/connection.ts";
import { ensureLayout } from "../transport/ensure-layout.ts";
import { fetchNatsServer } from "./fetch-nats-server.ts";
import { findNatsServer, type ServerSearch } from "./find-nats-server.ts";
import { ensureRoleKeys, publicKeys } from "./role-keys.ts";
import { startServer, waitUntilWell } from "./run-server.ts";
import { serverConfig } from "./server-config.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { currentProcess, livenessOf, startTimeOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { readJson } from "../../lib/read-json.ts";

/** The server that `fleet up` started on this machine. */
export interface EmbeddedServer {
  url: string;
  keysDir: string;
  version: string;
  process: ProcessIdentity;
}

/** Undefined when it was never started, or runs no longer. */
export function readEmbeddedServer(home: string): EmbeddedServer | undefined {
  const server = readJson(stateFile(home)) as EmbeddedServer | null | undefined;
  return server?.process && livenessOf(server.process) !== "dead" ? server : undefined;
}

/**
 * Starts a single-node server on loopback that outlives this process, with keys for every role and all streams, or gives
 * the one that runs. What it stored is there again after the next start.
 */
export async function startEmbeddedServer(
  home: string,
  {
    search,
    port,
    leaseMs,
  }: { search: ServerSearch; port?: number | undefined; leaseMs?: number | undefined },
): Promise<{ server: EmbeddedServer; isNew: boolean }> {
  const running = readEmbeddedServer(home);
  if (running) return { server: running, isNew: false };
  const program = (await findNatsServer(search)) ?? (await fetchNatsServer(search));
  const dir = ensurePrivateDir(path.join(holdfastPaths(home).fleetDir, "server"));
  const keysDir = path.join(holdfastPaths(home).fleetDir, "keys");
  const keys = ensureRoleKeys(keysDir);
  const configFile = path.join(dir, "server.conf");
  const clientPort = port ?? (await freePort(lastPort(configFile)));
  const monitorPort = await freePort();
  const logFile = path.join(dir, "server.log");
  writeFileAtomic(
    configFile,
    serverConfig({
      name: "holdfast",
      host: "127.0.0.1",
      port: clientPort,
      monitorPort,
      storeDir: path.join(dir, "store"),
      keys: publicKeys(keys),
    }),
  );
  fs.rmSync(logFile, { force: true });
  const pid = await startServer({ file: program.file, configFile, logFile, monitorPort });
  const server: EmbeddedServer = {
    url: `nats://127.0.0.1:${clientPort}`,
    keysDir,
    version: program.version.text,
    process: { ...currentProcess(), pid, startTime: startTimeOf(pid) ?? "" },
  };
  await waitUntilWell({ logFile, monitorPort }, { isAlive: () => livenessOf(server.process) !== "dead" });
  const connection = await connectFleet(
    { servers: [server.url], keyFile: keys.admin.file },
    { name: "holdfast fleet up" },
  );
  try {
    await ensureLayout(connection, { leaseMs });
    writeFileAtomic(stateFile(home), `${JSON.stringify(server)}\n`);
    return { server, isNew: true };
  } finally {
    await connection.close();
  }
}

/** Ends it, and waits until it is gone. What it stored stays. False when none runs. */
export async function stopEmbeddedServer(home: string): Promise<boolean> {
  const server = readEmbeddedServer(home);
  if (!server) return false;
  process.kill(server.process.pid, "SIGTERM");
  while (livenessOf(server.process) !== "dead") await new Promise((resolve) => setTimeout(resolve, 50));
  fs.rmSync(stateFile(home), { force: true });
  return true;
}

function stateFile(home: string): string {
  return path.join(holdfastPaths(home).fleetDir, "server.json");
}

// The same as last time if it can be: whoever follows a run knows the server by it.
function lastPort(configFile: string): number | undefined {
  if (!fs.existsSync(configFile)) return undefined;
  const { listen } = JSON.parse(fs.readFileSync(configFile, "utf8")) as { listen: string };
  return Number(listen.split(":").at(-1));
}

async function freePort(wanted = 0): Promise<number> {
  const server = net.createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(wanted, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
