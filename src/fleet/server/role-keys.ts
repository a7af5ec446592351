import fs from "node:fs";
import path from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
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

function ensureKey(file: string): RoleKey {
  try {
    createFileAtomic(file, `${Buffer.from(nkeys.createUser().getSeed()).toString("latin1")}\n`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return { file, publicKey: nkeys.fromSeed(readSeed(file)).getPublicKey() };
}

/** The secret half of a key, from its file. */
export function readSeed(file: string): Uint8Array {
  return Buffer.from(fs.readFileSync(file, "latin1").trim(), "latin1");
}
