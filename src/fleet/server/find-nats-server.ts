import { execFile } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findPrograms } from "../../lib/find-programs.ts";
import { fleetError } from "../errors.ts";
import { isNewEnough, parseServerVersion, serverVersionMin, type ServerVersion } from "./server-version.ts";

const run = promisify(execFile);

export interface ServerSearch {
  /** A file that was named by hand: it is used or refused, never passed over. */
  named?: string | undefined;
  /** The folders of PATH, as the variable holds them. */
  searchPath?: string | undefined;
  /** Where a fetched server is kept. */
  cacheDir: string;
}

/** Where the variables of a process say that one is, or may be kept. */
export function serverSearch(variables: Readonly<Record<string, string | undefined>>): ServerSearch {
  return {
    named: variables["HOLDFAST_NATS_SERVER"] || undefined,
    searchPath: variables["PATH"],
    cacheDir: path.join(variables["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "holdfast"),
  };
}

export interface NatsServer {
  file: string;
  version: ServerVersion;
}

/**
 * A nats-server that is new enough: the named one, one on the PATH, or one that was fetched before. Undefined when there
 * is none; throws `fleet_server_missing` when the named one is of no use.
 */
export async function findNatsServer({
  named,
  searchPath,
  cacheDir,
}: ServerSearch): Promise<NatsServer | undefined> {
  if (named !== undefined) return checkNamed(named);
  const onPath = findPrograms("nats-server", searchPath);
  for (const file of [...onPath, "/usr/sbin/nats-server", path.join(cacheDir, "nats-server")]) {
    const version = await askVersion(file);
    if (version && isNewEnough(version)) return { file, version };
  }
  return undefined;
}

async function checkNamed(file: string): Promise<NatsServer> {
  const version = await askVersion(file);
  if (version && isNewEnough(version)) return { file, version };
  const found = version ? `it is version ${version.text}` : "it cannot be run";
  throw fleetError(
    "fleet_server_missing",
    `Cannot use the server "${file}": ${found}; it must be a nats-server of ${serverVersionMin} or newer`,
  );
}

async function askVersion(file: string): Promise<ServerVersion | undefined> {
  try {
    const { stdout } = await run(file, ["--version"], { timeout: 10_000 });
    return parseServerVersion(stdout);
  } catch {
    return undefined;
  }
}
