import fs from "node:fs";
import path from "node:path";
import { ensureRoleKeys, publicKeys } from "../../../fleet/server/role-keys.ts";
import { serverConfig } from "../../../fleet/server/server-config.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import type { CommandContext } from "../command.ts";
import { cliError, usageError } from "../errors.ts";

/** `holdfast fleet config DIR --node a=host …`: the configuration of every node, and a key for each role. */
export async function fleetConfig(
  context: CommandContext,
  { dir: name, nodes: given }: { dir: string; nodes: readonly string[] },
): Promise<void> {
  const nodes = given.map(readNode);
  if (![1, 3, 5].includes(nodes.length))
    throw usageError("fleet", "Cannot make a cluster: name 1, 3 or 5 nodes, each with --node name=host");
  const dir = ensurePrivateDir(path.resolve(context.environment.cwd, name));
  const keys = ensureRoleKeys(path.join(dir, "keys"));
  const files = nodes.map((node) => {
    const file = path.join(dir, `${node.name}.conf`);
    const text = serverConfig({
      name: node.name,
      host: "0.0.0.0",
      port: CLIENT_PORT,
      monitorPort: MONITOR_PORT,
      storeDir: "/var/lib/nats",
      keys: publicKeys(keys),
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
      throw cliError("output_exists", `Cannot write "${file}": it is there already`, { cause });
    }
    return file;
  });
  if (context.isJson) return context.writeJson({ files, keysDir: path.join(dir, "keys") });
  await context.writeLines(files);
  context.say(
    `Put each file on its node, with a certificate where it says ${path.dirname(tlsFiles.certFile)}; then: holdfast fleet init --replicas ${nodes.length}`,
  );
}

const CLIENT_PORT = 4222;
const MONITOR_PORT = 8222;
const CLUSTER_PORT = 6222;
const tlsFiles = {
  certFile: "/etc/nats/tls/node.crt",
  keyFile: "/etc/nats/tls/node.key",
  caFile: "/etc/nats/tls/ca.crt",
};

function readNode(text: string): { name: string; host: string } {
  const [, name, host] = /^([A-Za-z0-9_-]+)=([A-Za-z0-9.-]+)$/.exec(text) ?? [];
  if (name === undefined || host === undefined)
    throw usageError("fleet", `Cannot read node "${text}": give name=host`);
  return { name, host };
}
