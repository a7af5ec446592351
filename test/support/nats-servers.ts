import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import {
  connectFleet,
  type FleetAddress,
  type FleetConnection,
} from "../../src/fleet/transport/connection.ts";
import { ensureLayout } from "../../src/fleet/transport/ensure-layout.ts";
import type { FleetShape } from "../../src/fleet/transport/layout.ts";
import { fetchNatsServer } from "../../src/fleet/server/fetch-nats-server.ts";
import { findNatsServer, serverSearch } from "../../src/fleet/server/find-nats-server.ts";
import { ensureRoleKeys, publicKeys } from "../../src/fleet/server/role-keys.ts";
import type { Role } from "../../src/fleet/server/roles.ts";
import { serverConfig, type ServerTls } from "../../src/fleet/server/server-config.ts";
import { waitUntilWell } from "../../src/fleet/server/run-server.ts";

/**
 * The nats-server that tests run: named by HOLDFAST_NATS_SERVER, on the PATH, or fetched into the user's cache folder.
 * Undefined, and said loudly, where there is none: the tests of the fleet are skipped then.
 */
export async function natsServerForTests(): Promise<string | undefined> {
  const search = serverSearch(process.env);
  try {
    return ((await findNatsServer(search)) ?? (await fetchNatsServer(search))).file;
  } catch (error) {
    process.stderr.write(
      `\nSKIPPED: the tests of the fleet need a nats-server. ${(error as Error).message}\n`,
    );
    return undefined;
  }
}

/** A server, or the nodes of a cluster, of a test's own. */
export interface TestServers {
  nodes: TestNode[];
  /** Of a role; without keys everybody may do everything. */
  address(role?: Role): FleetAddress;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestNode {
  name: string;
  url: string;
  pid: number;
  start(): Promise<void>;
  waitUntilWell(): Promise<void>;
  /** Ends it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface TestServersOptions {
  file: string;
  dir: string;
  nodes?: 1 | 3;
  withKeys?: boolean;
  tls?: ServerTls;
}

/** Starts them on loopback, on free ports, with stores below the test's folder, and waits until they are well. */
export async function startTestServers(options: TestServersOptions): Promise<TestServers> {
  const { file, dir, nodes: count = 1, withKeys = false, tls } = options;
  const keys = withKeys ? ensureRoleKeys(path.join(dir, "keys")) : undefined;
  const ports = await freePorts(count * 3);
  const places = Array.from({ length: count }, (_, at) => ({
    name: `n${at + 1}`,
    port: ports[at * 3]!,
    monitorPort: ports[at * 3 + 1]!,
    clusterPort: ports[at * 3 + 2]!,
  }));
  const nodes = places.map(({ name, port, monitorPort, clusterPort }) => {
    const configFile = path.join(dir, `${name}.conf`);
    const settings = {
      name,
      host: "127.0.0.1",
      port,
      monitorPort,
      storeDir: path.join(dir, name),
      ...(keys && { keys: publicKeys(keys) }),
      ...(tls && { tls }),
      ...(count > 1 && {
        cluster: {
          name: "test",
          host: "127.0.0.1",
          port: clusterPort,
          routes: places.map((place) => `127.0.0.1:${place.clusterPort}`),
        },
      }),
    };
    fs.writeFileSync(configFile, serverConfig(settings));
    return testNode({
      file,
      name,
      configFile,
      logFile: path.join(dir, `${name}.log`),
      monitorPort,
      port,
      tls,
    });
  });
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.end("SIGKILL")));
  };
  try {
    for (const node of nodes) await node.start();
    for (const node of nodes) await node.waitUntilWell();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nodes,
    address: (role) => ({
      servers: nodes.map(({ url }) => url),
      ...(role && keys && { keyFile: keys[role].file }),
      ...(tls && { caFile: tls.caFile }),
    }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A server with everything on it that `fleet init` makes, and a connection that may do everything. */
export async function startTestFleet(
  options: TestServersOptions & { shape?: FleetShape },
): Promise<{ servers: TestServers; connection: FleetConnection } & AsyncDisposable> {
  const servers = await startTestServers(options);
  try {
    const connection = await connectFleet(servers.address("admin"), { name: "test" });
    await ensureLayout(connection, { replicas: options.nodes ?? 1, ...options.shape });
    const close = async (): Promise<void> => {
      await connection.close();
      await servers.stop();
    };
    return { servers, connection, [Symbol.asyncDispose]: close };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

function testNode(place: {
  file: string;
  name: string;
  configFile: string;
  logFile: string;
  monitorPort: number;
  port: number;
  tls: ServerTls | undefined;
}): TestNode {
  let child: ChildProcess | undefined;
  const isAlive = (): boolean => child?.exitCode === null && child.signalCode === null;
  return {
    name: place.name,
    url: `${place.tls ? "tls" : "nats"}://127.0.0.1:${place.port}`,
    get pid() {
      return child!.pid!;
    },
    async start() {
      const log = fs.openSync(place.logFile, "a");
      child = spawn(place.file, ["--config", place.configFile], { stdio: ["ignore", log, log] });
      fs.closeSync(log);
      await new Promise((resolve, reject) => child!.once("spawn", resolve).once("error", reject));
    },
    waitUntilWell: () => waitUntilWell(place, { isAlive }),
    signal: (signal) => void child?.kill(signal),
    async end(signal) {
      if (!child || !isAlive()) return;
      const gone = new Promise((resolve) => child!.once("exit", resolve));
      // One that is suspended hears of nothing but this.
      child.kill("SIGCONT");
      child.kill(signal);
      await gone;
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>((resolve) => {
          const server = net.createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
