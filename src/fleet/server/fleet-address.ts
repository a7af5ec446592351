import fs from "node:fs";
import path from "node:path";
import type { Suggestion } from "../../lib/suggestion.ts";
import type { FleetAddress } from "../transport/connection.ts";
import { fleetError } from "../errors.ts";
import type { Role } from "./roles.ts";
import { readConfig } from "../../store/read-config.ts";
import { readEmbeddedServer } from "./embedded-server.ts";

/** Where addresses come from: the home, and the variables of the process. */
export interface AddressSource {
  home: string;
  variables: Readonly<Record<string, string | undefined>>;
}

/** Whose fleet it is. */
export interface FleetPlace extends AddressSource {
  configDir: string;
  /** Who dispatches, stops and answers. */
  userName: string;
}

/**
 * How this machine reaches the fleet in a role: by its variables (`HOLDFAST_NATS_URL`, `_KEYS`, `_CA`, `_CERT`, `_CERT_KEY`),
 * else by config.json, else the server that `fleet up` started here. Throws `fleet_unreachable` when there is none.
 */
export function fleetAddress(source: AddressSource, role: Role): FleetAddress {
  const found = findFleetAddress(source, role);
  if (found) return found;
  throw fleetError(
    "fleet_unreachable",
    "Cannot find a fleet: none was started here, and HOLDFAST_NATS_URL names no servers",
    { fields: { suggestion: { verb: "fleet up" } satisfies Suggestion } },
  );
}

/** Undefined where no fleet is known. */
export function findFleetAddress({ home, variables }: AddressSource, role: Role): FleetAddress | undefined {
  const { fleet: config = {} } = readConfig(home);
  const servers = variables["HOLDFAST_NATS_URL"]?.split(",").filter((each) => each.trim() !== "");
  const named = servers && servers.length > 0 ? servers : config.servers;
  if (!named || named.length === 0) {
    const embedded = readEmbeddedServer(home);
    return embedded && { servers: [embedded.url], keyFile: keyFile(embedded.keysDir, role) };
  }
  const value = (name: string, fallback: string | undefined): string | undefined =>
    variables[`HOLDFAST_NATS_${name}`] || fallback;
  return {
    servers: named.map((each) => each.trim()),
    keyFile: keyFile(value("KEYS", config.keys), role),
    caFile: value("CA", config.ca),
    tlsCertFile: value("CERT", config.cert),
    tlsKeyFile: value("CERT_KEY", config.certKey),
  };
}

function keyFile(keys: string | undefined, role: Role): string | undefined {
  if (keys === undefined) return undefined;
  return fs.statSync(keys, { throwIfNoEntry: false })?.isDirectory() ? path.join(keys, `${role}.nk`) : keys;
}
