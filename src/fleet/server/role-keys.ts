import fs from "node:fs";
import path from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { fleetError } from "../errors.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { roles, type Role } from "./roles.ts";

export interface RoleKey {
  /** The file that holds the secret half; readable by its owner only. */
  file: string;
  publicKey: string;
}

/** A key for each role, made once: what is there already is kept, so that servers and clients go on agreeing. */
export function ensureRoleKeys(dir: string): Record<Role, RoleKey> {
  ensurePrivateDir(dir);
  return Object.fromEntries(roles.map((role) => [role, ensureKey(path.join(dir, `${role}.nk`))])) as Record<
    Role,
    RoleKey
  >;
}

/** What the servers know of the keys. */
export function publicKeys(keys: Record<Role, RoleKey>): Record<Role, string> {
  return Object.fromEntries(roles.map((role) => [role, keys[role].publicKey])) as Record<Role, string>;
}

function ensureKey(file: string): RoleKey {
  try {
    createFileAtomic(file, `${Buffer.from(nkeys.createUser().getSeed()).toString("latin1")}\n`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return { file, publicKey: nkeys.fromSeed(readSeed(file)).getPublicKey() };
}

/** The secret half of a key, from its file. Throws `fleet_forbidden` when there is none, or what is there is no key. */
export function readSeed(file: string): Uint8Array {
  try {
    const seed = Buffer.from(fs.readFileSync(file, "latin1").trim(), "latin1");
    nkeys.fromSeed(seed);
    return seed;
  } catch (cause) {
    const why = codeOf(cause) === "ENOENT" ? "it is not there" : "it cannot be read, or is no nkey";
    throw fleetError("fleet_forbidden", `Cannot use the key "${file}": ${why}`, { cause });
  }
}
