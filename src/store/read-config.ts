import fs from "node:fs";
import { isJsonObject } from "../format/json-object.ts";
import { holdfastPaths } from "../format/paths.ts";
import { unhanging } from "../lib/read-json.ts";
import { codeOf } from "../lib/errors.ts";
import { storeError } from "./errors.ts";

/** What people may set in `config.json` of the home. Keys that are not named here are left alone. */
export interface HomeConfig {
  /** Whether sessions are copied into the archive before the client deletes them. */
  keep?: boolean;
  /** By model, dollars for a million tokens; src/usage says what a price has. */
  prices?: Record<string, unknown>;
  hooks?: { duplicateLaunch?: "warn" | "ask" | "off" };
  fleet?: FleetConfig;
}

export interface FleetConfig {
  servers?: string[];
  /** A folder with a key file for each role, `<role>.nk`, or one file for whatever this machine does. */
  keys?: string;
  ca?: string;
  cert?: string;
  certKey?: string;
}

/**
 * The settings of a home; none when there is no file. Throws `config_invalid`, which says what to mend, rather than do
 * what nobody wanted.
 */
export function readConfig(home: string): HomeConfig {
  const file = holdfastPaths(home).configFile;
  let text: string;
  try {
    text = fs.readFileSync(file, unhanging);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw configInvalid(file, `it cannot be read (${codeOf(error) ?? "unknown"}); check its owner and mode`);
  }
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw configInvalid(file, `it is not JSON (${(error as Error).message}); mend or remove it`);
  }
  const wrong = isJsonObject(config) ? findWrong(config) : "it is not a JSON object";
  if (wrong !== undefined) throw configInvalid(file, `${wrong}; mend or remove it`);
  return config as HomeConfig;
}

function configInvalid(file: string, why: string): Error {
  return storeError("config_invalid", `Cannot use settings "${file}": ${why}`, { fields: { path: file } });
}

function findWrong({ keep, prices, hooks, fleet }: Record<string, unknown>): string | undefined {
  if (keep !== undefined && typeof keep !== "boolean") return '"keep" is neither true nor false';
  if (prices !== undefined && !isJsonObject(prices)) return '"prices" is not an object of models';
  if (hooks !== undefined && !isJsonObject(hooks)) return '"hooks" is not an object';
  const launch = hooks?.["duplicateLaunch"];
  if (launch !== undefined && !duplicateSettings.has(launch))
    return '"hooks.duplicateLaunch" is none of warn, ask and off';
  if (fleet === undefined) return undefined;
  if (!isJsonObject(fleet)) return '"fleet" is not an object';
  const { servers } = fleet;
  if (servers !== undefined && !(Array.isArray(servers) && servers.every((each) => typeof each === "string")))
    return '"fleet.servers" is not a list of addresses';
  const key = fleetTexts.find((name) => fleet[name] !== undefined && typeof fleet[name] !== "string");
  return key && `"fleet.${key}" is not a text`;
}

const duplicateSettings: ReadonlySet<unknown> = new Set(["warn", "ask", "off"]);
const fleetTexts = ["keys", "ca", "cert", "certKey"];
