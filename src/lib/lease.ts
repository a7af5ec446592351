import fs from "node:fs";
import path from "node:path";
import { createFileAtomic, writeFileAtomic } from "./atomic-write.ts";
import { HoldfastError, codeOf } from "./errors.ts";
import { nodeFileOps, type FileOps } from "./file-ops.ts";
import { leaseRenewalMs, leaseTtlMs, leaseTtlMsUnsaid } from "./limits.ts";
import { unhanging } from "./read-json.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "./process-identity.ts";

/**
 * A file that says which process may do something, held by at most one live process.
 *
 * I1  Of any number of callers, exactly one creates the file (link of a finished file, never "check, then write").
 * I2  A dead holder's file is replaced only by the one process that holds the *burial* of that very file: a
 *     lease of its own, named after the dead file's token. So a slow taker can never remove a live lease.
 * I3  A holder on another host or in another container cannot be seen. It counts as alive while it renews the file's time.
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
  /**
   * For those who cannot see the holder: the lease holds so long after the time of its file, which the holder renews.
   * Older versions did not say.
   */
  ttlMs?: number;
}

export interface AcquireOptions {
  subject: string;
  /** What kind of thing that is, for a refusal: `session "5c03"` instead of `5c03`. */
  kind?: string;
  /** Whether this holder may be replaced; by default it must be dead, or out of sight and silent. */
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
  return holder && isHeld(file, holder) ? holder : undefined;
}

// A process that stands still for longer than the time to live, or a machine that was suspended, may lose a lease to one
// that cannot see it; never to one that can.
function isHeld(file: string, holder: LeaseHolder): boolean {
  const liveness = livenessOf(holder);
  if (liveness !== "unknown") return liveness === "alive";
  return Date.now() < heldUntilMs(file, holder);
}

function heldUntilMs(file: string, { ttlMs = leaseTtlMsUnsaid }: LeaseHolder): number {
  return (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) + ttlMs;
}

function acquire(file: string, options: AcquireOptions, depth: number): Lease {
  const { subject, files = nodeFileOps } = options;
  // Loaded by who takes a lease: it would cost those who only look 8 ms.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const token = randomBytes(12).toString("hex");
  const holder: LeaseHolder = { ...currentProcess(), token, subject, ttlMs: leaseTtlMs };
  return leaseOf(file, take(file, { holder, options, depth }), files);
}

interface Attempt {
  holder: LeaseHolder;
  options: AcquireOptions;
  depth: number;
}

function take(file: string, { holder, options, depth }: Attempt): LeaseHolder {
  const { kind, files = nodeFileOps, note } = options;
  const { isFree = (other: LeaseHolder) => !isHeld(file, other) } = options;
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
  const isOurs = (): boolean => readLease(file)?.token === holder.token;
  const renewal = setInterval(() => {
    if (!renew(file, isOurs)) clearInterval(renewal);
  }, leaseRenewalMs).unref();
  return {
    path: file,
    holder,
    release() {
      clearInterval(renewal);
      if (isOurs()) files.unlinkSync(file);
    },
  };
}

/** False when there is nothing left to renew. */
function renew(file: string, isOurs: () => boolean): boolean {
  try {
    if (!isOurs()) return false;
    fs.utimesSync(file, new Date(), new Date());
  } catch {
    /* It may not be written any more: whoever can see this process sees that it lives. */
  }
  return true;
}

function conflict(file: string, holder: LeaseHolder, { kind }: AcquireOptions): HoldfastError {
  const guarded = kind === undefined ? holder.subject : `${kind} "${holder.subject}"`;
  const where = holder.host === currentProcess().host ? "" : ` on host ${holder.host}`;
  const until =
    livenessOf(holder) === "unknown"
      ? `, which cannot be seen from here; the lease holds until ${new Date(heldUntilMs(file, holder)).toISOString()} unless it is renewed`
      : "";
  return new HoldfastError(`Cannot write ${guarded}: locked by pid ${holder.pid}${where}${until}`, {
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
