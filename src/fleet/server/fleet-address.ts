import fs from "node:fs";
import path from "node:path";
import type { Suggestion } from "../../lib/suggestion.ts";
import type { FleetAddress } from "../transport/connection.ts";
import { fleetError } from "../errors.ts";
import type { Role } from "./roles.ts";
import { settingVariables } from "../../store/config/config-schema.ts";
import { readConfig, type ConfigPlace } from "../../store/config/read-config.ts";
import { listOf } from "../../store/config/settle-config.ts";
import { readEmbeddedServer } from "./embedded-server.ts";

/** Where addresses come from: the settings, and the variables of the process. */
export interface AddressSource extends ConfigPlace {
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
 * else by the settings, else the server that `fleet up` started here. Throws `fleet_unreachable` when there is none.
 */
export function fleetAddress(source: AddressSource, role: Role): FleetAddress {
  const found = findFleetAddress(source, role);
  if (found) return found;
  throw fleetError(
    "fleet_unreachable",
    "Cannot find a fleet: none was started here, and HOLDFAST_NATS_URL is not set",
    { fields: { suggestion: { verb: "fleet up" } satisfies Suggestion } },
  );
}

/** Undefined where no fleet is known. */
export function findFleetAddress(source: AddressSource, role: Role): FleetAddress | undefined {
  const { fleet: config = {} } = readConfig(source);
  const variable = (key: string): string => source.variables[settingVariables[`fleet.${key}`]!] ?? "";
  const value = (key: "keys" | "ca" | "cert" | "certKey"): string | undefined => variable(key) || config[key];
  const servers = [listOf(variable("servers")), config.servers ?? []].find((named) => named.length > 0);
  if (!servers) {
    const embedded = readEmbeddedServer(source.home);
    return embedded && { servers: [embedded.url], keyFile: keyFile(embedded.keysDir, role) };
  }
  return {
    servers: servers.map((each) => each.trim()),
    keyFile: keyFile(value("keys"), role),
    caFile: value("ca"),
    tlsCertFile: value("cert"),
    tlsKeyFile: value("certKey"),
  };
}

function keyFile(keys: string | undefined, role: Role): string | undefined {
  if (keys === undefined) return undefined;
  return fs.statSync(keys, { throwIfNoEntry: false })?.isDirectory() ? path.join(keys, `${role}.nk`) : keys;
}
