import fs from "node:fs";
import path from "node:path";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { fleetError } from "../errors.ts";
import { ensureRoleKeys, publicKeys } from "./role-keys.ts";
import { serverConfig } from "./server-config.ts";

export interface ClusterNode {
  name: string;
  host: string;
}

export interface ClusterConfig {
  /** One for each node, in the order of the nodes. */
  files: string[];
  /** A key for each role. */
  keysDir: string;
  /** Where each node looks for its certificate. */
  certificatesDir: string;
}

/**
 * Writes the configuration of every node of a cluster, and a key for each role, into a folder. Throws `fleet_invalid` for
 * nodes that make no cluster, `fleet_conflict` when a file is there already.
 */
export function writeClusterConfig(dir: string, nodes: readonly ClusterNode[]): ClusterConfig {
  // An even number would only need one more vote.
  if (![1, 3, 5].includes(nodes.length))
    throw fleetError("fleet_invalid", `Cannot make a cluster of ${nodes.length} nodes: name 1, 3 or 5`);
  for (const { name, host } of nodes)
    if (!/^[A-Za-z0-9_-]+$/.test(name) || !/^[A-Za-z0-9.-]+$/.test(host))
      throw fleetError(
        "fleet_invalid",
        `Cannot use node "${name}" at "${host}": give a plain name and a host`,
      );
  const keysDir = path.join(ensurePrivateDir(dir), "keys");
  const keys = publicKeys(ensureRoleKeys(keysDir));
  const files = nodes.map(({ name }) => {
    const file = path.join(dir, `${name}.conf`);
    const text = serverConfig({
      name,
      host: "0.0.0.0",
      port: CLIENT_PORT,
      monitorPort: MONITOR_PORT,
      storeDir: "/var/lib/nats",
      keys,
      tls: tlsFiles,
      ...(nodes.length > 1 && {
        cluster: {
          name: "holdfast",
          host: "0.0.0.0",
          port: CLUSTER_PORT,
          routes: nodes.map(({ host }) => `${host}:${CLUSTER_PORT}`),
          tls: tlsFiles,
        },
      }),
    });
    try {
      fs.writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    } catch (cause) {
      throw fleetError("fleet_conflict", `Cannot write "${file}": it exists`, { cause });
    }
    return file;
  });
  return { files, keysDir, certificatesDir: CERTIFICATES_DIR };
}

const CLIENT_PORT = 4222;
const MONITOR_PORT = 8222;
const CLUSTER_PORT = 6222;
const CERTIFICATES_DIR = "/etc/nats/tls";
const tlsFiles = {
  certFile: `${CERTIFICATES_DIR}/node.crt`,
  keyFile: `${CERTIFICATES_DIR}/node.key`,
  caFile: `${CERTIFICATES_DIR}/ca.crt`,
};
