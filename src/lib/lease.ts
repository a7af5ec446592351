import fs from "node:fs";
import path from "node:path";
import { createFileAtomic, writeFileAtomic } from "./atomic-write.ts";
import { HoldfastError, codeOf } from "./errors.ts";
import { nodeFileOps, type FileOps } from "./file-ops.ts";
import { unhanging } from "./read-json.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "./process-identity.ts";

/**
 * A file that says which process may do something, held by at most one live process.
 *
 * I1  Of any number of callers, exactly one creates the file (link of a finished file, never "check, then write").
 * I2  A dead holder's file is replaced only by the one process that holds the *burial* of that very file: a
 *     lease of its own, named after the dead file's token. So a slow taker can never remove a live lease.
 * I3  A holder on another host or in another container cannot be seen, so it counts as alive.
 *
 * Not durable: a loss of power ends every holder on this machine, so what is left of their files then does not matter.
 */
export interface Lease {
  readonly path: string;
  readonly holder: LeaseHolder;
  /** Gives it up; harmless when it is no longer ours. */
  release(): void;
}

export interface LeaseHolder extends ProcessIdentity {
  token: string;
  /** What the lease guards, for whoever meets it. */
  subject: string;
}

export interface AcquireOptions {
  subject: string;
  /** What kind of thing that is, for a refusal: `session "5c03"` instead of `5c03`. */
  kind?: string;
  /** Whether this holder may be replaced; by default it must be dead. */
  isFree?: (holder: LeaseHolder) => boolean;
  /** What the file says besides, given the one that it replaces. */
  note?: (before: LeaseHolder | undefined) => object;
  files?: FileOps;
}

// A burial can itself be left behind by a crash and is then buried in turn; each level needs another crash.
const BURIAL_DEPTH_MAX = 8;
const ATTEMPTS_MAX = 64;

/** Takes the lease, or throws `conflict` naming the holder. */
export function acquireLease(file: string, options: AcquireOptions): Lease {
  return acquire(file, options, 0);
}

/** Who holds the lease now; undefined when nobody does or its holder is dead. */
export function findLeaseHolder(file: string): LeaseHolder | undefined {
  const holder = readLease(file);
  return holder && !isDead(holder) ? holder : undefined;
}

const isDead = (holder: LeaseHolder): boolean => livenessOf(holder) === "dead";

function acquire(file: string, options: AcquireOptions, depth: number): Lease {
  const { subject, files = nodeFileOps } = options;
  // Loaded by who takes a lease: it would cost those who only look 8 ms.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const holder: LeaseHolder = { ...currentProcess(), token: randomBytes(12).toString("hex"), subject };
  return leaseOf(file, take(file, { holder, options, depth }), files);
}

interface Attempt {
  holder: LeaseHolder;
  options: AcquireOptions;
  depth: number;
}

function take(file: string, { holder, options, depth }: Attempt): LeaseHolder {
  const { kind, files = nodeFileOps, isFree = isDead, note } = options;
  const write = (create: typeof createFileAtomic, before?: LeaseHolder): LeaseHolder => {
    const noted = { ...holder, ...note?.(before) };
    create(file, `${JSON.stringify(noted)}\n`, { files, isDurable: false });
    return noted;
  };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      return write(createFileAtomic);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const found = readLease(file);
    if (found === undefined) continue;
    if (!isFree(found) || depth >= BURIAL_DEPTH_MAX) throw conflict(file, found, options);
    const burialOptions = { subject: holder.subject, ...(kind !== undefined && { kind }), files };
    const burial = acquire(`${file}.${found.token}`, burialOptions, depth + 1);
    try {
      // Only this burial's holder may replace that file, so nothing can change between look and rename.
      if (readLease(file)?.token === found.token) return write(writeFileAtomic, found);
    } finally {
      burial.release();
    }
  }
  throw new HoldfastError(
    `Cannot take lease "${path.basename(file)}": it changes hands too fast; try again`,
    {
      code: "conflict",
      retryable: true,
    },
  );
}

function leaseOf(file: string, holder: LeaseHolder, files: FileOps): Lease {
  return {
    path: file,
    holder,
    release() {
      if (readLease(file)?.token === holder.token) files.unlinkSync(file);
    },
  };
}

function conflict(file: string, holder: LeaseHolder, { kind }: AcquireOptions): HoldfastError {
  const guarded = kind === undefined ? holder.subject : `${kind} "${holder.subject}"`;
  const where = holder.host === currentProcess().host ? "" : ` on host ${holder.host}`;
  return new HoldfastError(`Cannot write ${guarded}: locked by pid ${holder.pid}${where}`, {
    code: "conflict",
    retryable: true,
    fields: { pid: holder.pid, host: holder.host, subject: holder.subject, lease: file },
  });
}

/** What a lease says, whether its holder lives or not. One that cannot be read (emptied by a full disk) has a dead holder. */
export function readLease(file: string): LeaseHolder | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, unhanging);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (codeOf(error) !== "EAGAIN") throw error;
    text = "";
  }
  try {
    const holder = JSON.parse(text) as LeaseHolder;
    // The token becomes part of a file name; without a host nobody could ever say that the holder is dead.
    const isWhole = /^[0-9a-f]{24}$/.test(holder.token) && typeof holder.host === "string";
    if (isWhole && Number.isInteger(holder.pid)) return holder;
  } catch {
    /* damaged: see above */
  }
  return {
    pid: 0,
    startTime: "",
    bootId: "",
    host: currentProcess().host,
    pidNamespace: "",
    token: "damaged",
    subject: "",
  };
}
