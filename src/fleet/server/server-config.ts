import { logEventBytesMax } from "./limits.ts";
import { roles, rolePermissions, type Role } from "./roles.ts";

/** One server, alone or as a node of a cluster. */
export interface ServerSettings {
  name: string;
  /** Where clients connect. */
  host: string;
  port: number;
  /** Where it tells how it is; always on loopback. */
  monitorPort: number;
  storeDir: string;
  /** The public key of each role. Without keys anybody who reaches the port may do everything. */
  keys?: Readonly<Record<Role, string>>;
  tls?: ServerTls;
  cluster?: {
    name: string;
    host: string;
    port: number;
    /** Addresses of the other nodes' cluster ports, `host:port`. */
    routes: readonly string[];
    tls?: ServerTls;
  };
}

export interface ServerTls {
  certFile: string;
  keyFile: string;
  caFile: string;
}

/**
 * The configuration file of a nats-server as the fleet needs it: every write is on the disk before it is acknowledged
 * (the server's default syncs every two minutes), and every key may do only what its role needs.
 */
export function serverConfig(settings: ServerSettings): string {
  const { name, host, port, monitorPort, storeDir, keys, tls, cluster } = settings;
  const users =
    keys && roles.map((role) => ({ nkey: keys[role], permissions: rolePermissions(role, keys[role]) }));
  const config = {
    server_name: name,
    listen: `${host}:${port}`,
    http: `127.0.0.1:${monitorPort}`,
    // A line of a transcript with a picture in it is some megabytes.
    max_payload: logEventBytesMax,
    // How long a server that is asked to end lets its clients find another one.
    lame_duck_duration: "30s",
    lame_duck_grace_period: "1s",
    jetstream: { store_dir: storeDir, sync_interval: "always" },
    ...(tls && { tls: { ...tlsBlock(tls), verify: false, timeout: 5 } }),
    ...(users && {
      accounts: { holdfast: { jetstream: "enabled", users } },
    }),
    ...(cluster && {
      cluster: {
        name: cluster.name,
        listen: `${cluster.host}:${cluster.port}`,
        routes: cluster.routes.map((route) => `nats-route://${route}`),
        ...(cluster.tls && { tls: { ...tlsBlock(cluster.tls), verify: true, timeout: 5 } }),
      },
    }),
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function tlsBlock({ certFile, keyFile, caFile }: ServerTls): Record<string, string> {
  return { cert_file: certFile, key_file: keyFile, ca_file: caFile };
}
