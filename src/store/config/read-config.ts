import fs from "node:fs";
import { isJsonObject } from "../../format/json-object.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { unhanging } from "../../lib/read-json.ts";
import { storeError } from "../errors.ts";
import { configSchema, settings } from "./config-schema.ts";
import { whatIsWrong, type Schema } from "./schema.ts";

/** What people may set. Keys that are not named here are left alone. */
export interface Config {
  agent?: string;
  model?: string;
  permission?: "deny" | "ask" | "rules" | "allow";
  limits?: ConfigLimits;
  /** Whether sessions are copied into the archive before the client deletes them. */
  keep?: boolean;
  /** By model, dollars for a million tokens; src/usage says what a price has. */
  prices?: Record<string, unknown>;
  prune?: ConfigPrune;
  hooks?: { duplicateLaunch?: "warn" | "ask" | "off"; exitCodes?: boolean };
  fleet?: FleetConfig;
}

export interface ConfigLimits {
  maxTurns?: number;
  maxTokens?: number;
  /** In dollars. */
  maxCost?: number;
  /** As people write it: `10m`. */
  timeout?: string;
}

/** When ended tasks are removed. */
export interface ConfigPrune {
  automatic?: boolean;
  /** As people write it: `7d`. */
  olderThan?: string;
  /** As people write it: `5g`. */
  maxTotal?: string;
}

export interface FleetConfig {
  servers?: string[];
  /** A folder with a key file for each role, `<role>.nk`, or one file for whatever this machine does. */
  keys?: string;
  ca?: string;
  cert?: string;
  certKey?: string;
}

/** Where the settings of a user are. */
export interface ConfigPlace {
  home: string;
  /** In the config folder of the platform. A home that somebody chose has its settings in itself. */
  settingsFile?: string | undefined;
}

/** The files that are read, the one that counts first. `config.json` of the home is where all settings were once. */
export function configFiles({ home, settingsFile }: ConfigPlace): [string, ...string[]] {
  const old = holdfastPaths(home).configFile;
  return settingsFile === undefined || settingsFile === old ? [old] : [settingsFile, old];
}

/**
 * The settings of a user; none when there is no file. Throws `config_invalid`, which says what to fix, rather than do what
 * nobody wanted.
 */
export function readConfig(place: ConfigPlace): Config {
  const files = configFiles(place).map((file) => readConfigFile(file));
  const config = Object.assign({}, ...files.toReversed()) as Record<string, unknown>;
  for (const key of settings.keys()) {
    const value = files.map((file) => settingIn(file, key)).find((each) => each !== undefined);
    if (value !== undefined) putSetting(config, key, value);
  }
  return config;
}

/** One file of settings; of a project's, only what `schema` has is looked at. */
export function readConfigFile(file: string, schema: Schema = withoutPrices): Config {
  let text: string;
  try {
    text = fs.readFileSync(file, unhanging);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return {};
    throw configInvalid(file, `it cannot be read (${codeOf(error) ?? "unknown"}); check its owner and mode`);
  }
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw configInvalid(file, `it is not JSON (${(error as Error).message}); fix or remove it`);
  }
  const wrong = isJsonObject(config) ? whatIsWrong(config, schema, "") : "it is not a JSON object";
  if (wrong !== undefined) throw configInvalid(file, `${wrong}; fix or remove it`);
  return config as Config;
}

// A wrong price keeps nobody from anything but counting costs, where it is looked at (src/usage).
const withoutPrices: Schema = {
  ...configSchema,
  properties: { ...configSchema.properties, prices: { type: "object" } },
};

export function configInvalid(file: string, why: string): Error {
  return storeError("config_invalid", `Cannot use settings "${file}": ${why}`, { fields: { path: file } });
}

/** The value of a setting, by its path. */
export function settingIn(config: object, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], config);
}

/** Changes one setting of these; undefined takes it away. */
export function putSetting(config: Record<string, unknown>, key: string, value: unknown): void {
  const [name = "", rest] = key.split(".");
  if (rest === undefined) {
    if (value === undefined) delete config[name];
    else config[name] = value;
    return;
  }
  const group = { ...(config[name] as object | undefined) };
  putSetting(group, rest, value);
  if (Object.keys(group).length > 0) config[name] = group;
  else delete config[name];
}
