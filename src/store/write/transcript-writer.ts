import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { appendQueueBytesMax } from "../limits.ts";
import { HoldfastError, codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { acquireLease, type Lease } from "../../lib/lease.ts";
import { ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import { leaseStem } from "./transcript-lease.ts";

/**
 * When an append is acknowledged:
 *   none   at once; lines are written together soon after. A crash of this process loses what was not written yet.
 *   flush  when the bytes are with the system. Survives the death of this process, not of the machine.
 *   sync   when they are on the disk. Appends made while a sync runs share the next one.
 */
export type Durability = "none" | "flush" | "sync";

export interface TranscriptWriterOptions {
  file: string;
  /** Named in the lease, and in the `conflict` that a second writer gets. */
  sessionId: string;
  leaseDir: string;
  durability?: Durability;
  /** The transcript must be there already: `session_not_found` instead of a new one. */
  mustExist?: boolean;
  files?: FileOps;
}

/**
 * The one writer of a transcript.
 *
 * I1  A line is written whole, behind a newline: what a dead writer or a restored file left without one is closed first.
 * I2  Lines reach the file in the order of the calls. One that failed is not retried; the caller knows, and decides.
 * I3  An acknowledged line is never taken back. After a failed sync nothing more is acknowledged.
 */
export interface TranscriptWriter {
  readonly file: string;
  /** Appends one entry as compact JSON. */
  append(entry: { type: string } & Record<string, unknown>): Promise<void>;
  /** Appends one line as it is, without its newline: for entries that must keep their bytes. */
  appendLine(line: string | Uint8Array): Promise<void>;
  /** Resolves when everything appended so far is written (and synced, with durability `sync`). */
  settle(): Promise<void>;
  /** Settles, gives the lease up and closes the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;

/** Takes the session's lease and opens its file for appending, making both if needed. Throws `conflict` when held. */
export function openTranscriptWriter(options: TranscriptWriterOptions): TranscriptWriter {
  const { file, sessionId, leaseDir, files = nodeFileOps } = options;
  ensurePrivateDir(leaseDir, files);
  const lease = acquireLease(leasePath(leaseDir, file), { subject: sessionId, kind: "session", files });
  try {
    const fd = options.mustExist
      ? openRegularFile(file, { files, create: false })
      : openForAppend(file, files);
    return new AppendingWriter(fd, lease, options);
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** The lease of a transcript: named after its file, as far as any file system takes it, told apart by its whole path. */
export function leasePath(leaseDir: string, file: string): string {
  const resolved = path.resolve(file);
  const hash = createHash("sha256").update(resolved).digest("hex").slice(0, 12);
  return path.join(leaseDir, `${leaseStem(path.basename(resolved, ".jsonl"))}-${hash}.lease`);
}

function openForAppend(file: string, files: FileOps): number {
  const dir = path.resolve(path.dirname(file));
  const firstMade = fs.existsSync(dir) ? undefined : files.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fd = openRegularFile(file, { files, create: true });
  try {
    // An empty file may be one whose name was never synced, because its maker died or failed just here.
    if (fs.fstatSync(fd).size === 0) syncDirs(dir, { upTo: path.dirname(firstMade ?? file), files });
    return fd;
  } catch (error) {
    files.closeSync(fd);
    throw error;
  }
}

function openRegularFile(file: string, { files, create }: { files: FileOps; create: boolean }): number {
  const fields = { path: file };
  const notRegular = `Cannot write "${file}": it is not a regular file`;
  let fd: number;
  try {
    fd = files.openSync(file, O_RDWR | O_APPEND | (create ? O_CREAT : 0) | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (codeOf(error) === "EISDIR")
      throw storeError("not_a_transcript", notRegular, { cause: error, fields });
    if (codeOf(error) === "ENOENT" && !create)
      throw storeError("session_not_found", `Cannot write "${file}": no such file`, { cause: error, fields });
    if (codeOf(error) !== "ELOOP") throw error;
    throw new HoldfastError(`Cannot write "${file}": it is a link; name the file itself`, {
      code: "unsafe_path",
      cause: error,
      fields,
    });
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  files.closeSync(fd);
  throw storeError("not_a_transcript", notRegular, { fields });
}

// A new folder's name is durable only when the folder above it is synced.
function syncDirs(dir: string, { upTo, files }: { upTo: string; files: FileOps }): void {
  for (let at = dir; ; at = path.dirname(at)) {
    syncDir(at, files);
    if (at === path.resolve(upTo)) return;
  }
}

interface Pending {
  /** Of its line, with the newline. */
  length: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

interface FailedWrite {
  /** How many bytes came before. */
  written: number;
  error: Error;
}

class AppendingWriter implements TranscriptWriter {
  readonly file: string;
  readonly #fd: number;
  readonly #lease: Lease;
  readonly #files: FileOps;
  readonly #durability: Durability;
  #queue: Pending[] = [];
  // The lines of the queue, one behind the other; kept from write to write, because making it anew takes longer.
  #batch: Buffer = NOTHING;
  #queuedBytes = 0;
  #isScheduled = false;
  // Of the turn that is under way, whether its first line is written already; of the one before, whether it had several.
  #isFirstWritten = false;
  #comeTogether = false;
  readonly #writeSoon = (): void => this.#write();
  // Where the file ended after our last whole write; -1 when unknown. Anything else was written by somebody else.
  #end = -1;
  #unsynced: Pending[] = [];
  #isSyncing = false;
  #failure: Error | undefined;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(fd: number, lease: Lease, options: TranscriptWriterOptions) {
    this.file = options.file;
    this.#fd = fd;
    this.#lease = lease;
    this.#files = options.files ?? nodeFileOps;
    this.#durability = options.durability ?? "flush";
  }

  append(entry: { type: string } & Record<string, unknown>): Promise<void> {
    return this.appendLine(JSON.stringify(entry));
  }

  appendLine(line: string | Uint8Array): Promise<void> {
    try {
      return this.#enqueue(bytesOf(line));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // The first append of a turn with durability `flush` is written at once; those that follow in the same turn share
  // the next write, as all do with `sync`, and where several came in the turn before.
  #enqueue(line: Uint8Array): Promise<void> {
    if (this.#isClosed)
      throw storeError("writer_closed", `Cannot append to "${this.file}": the writer is closed`);
    if (this.#failure) throw this.#failure;
    if (this.#durability === "flush" && !this.#isScheduled && !this.#comeTogether) {
      this.#schedule();
      this.#isFirstWritten = true;
      // Where it lies, with its newline: copying it would take longer than looking at it.
      const failed = this.#writeWhole([line, NEWLINE], line.length + 1);
      return failed ? Promise.reject(failed.error) : DONE;
    }
    const length = line.length + 1;
    if (this.#queuedBytes + length > appendQueueBytesMax && this.#queue.length > 0) this.#write();
    this.#collect(line);
    this.#schedule();
    if (this.#durability !== "none") {
      return new Promise((resolve, reject) => this.#queue.push({ length, resolve, reject }));
    }
    // Not waited for by contract; the failure is kept for the next append and for close.
    this.#queue.push({ length, resolve: () => {}, reject: (error) => (this.#failure ??= error) });
    return DONE;
  }

  // A copy: the caller may go on to use its bytes.
  #collect(line: Uint8Array): void {
    const needed = this.#queuedBytes + line.length + 1;
    if (needed > this.#batch.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#batch.length, BATCH_BYTES_MIN));
      this.#batch.copy(larger, 0, 0, this.#queuedBytes);
      this.#batch = larger;
    }
    this.#batch.set(line, this.#queuedBytes);
    this.#batch[needed - 1] = NEWLINE_BYTE;
    this.#queuedBytes = needed;
  }

  async settle(): Promise<void> {
    this.#write();
    if (this.#isSyncing || this.#unsynced.length > 0)
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.settle();
    } finally {
      try {
        this.#files.closeSync(this.#fd);
      } finally {
        this.#lease.release();
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // All appends of one turn of the event loop share a write; `none` waits for the turn's end to collect more. A promise
  // costs less than `queueMicrotask`, which makes a resource for async hooks.
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (this.#durability === "none") setImmediate(this.#writeSoon);
    else void DONE.then(this.#writeSoon);
  }

  #write(): void {
    this.#isScheduled = false;
    const batch = this.#queue;
    this.#comeTogether = batch.length > (this.#isFirstWritten ? 0 : 1);
    this.#isFirstWritten = false;
    if (batch.length === 0) return;
    const lines = this.#batch.subarray(0, this.#queuedBytes);
    this.#queue = [];
    this.#queuedBytes = 0;
    const failed = this.#writeWhole([lines], lines.length);
    if (this.#batch.length > BATCH_BYTES_KEPT) this.#batch = NOTHING;
    this.#acknowledge(batch, failed);
  }

  // Undefined when all of it, `total` bytes, is written.
  #writeWhole(parts: readonly Uint8Array[], total: number): FailedWrite | undefined {
    let written = 0;
    try {
      if (!this.#endsWhereWeLeftIt()) this.#closeForeignLine();
      written = this.#files.writevSync(this.#fd, parts);
      if (written < total) {
        const lines = Buffer.concat(parts);
        while (written < total) written += this.#files.writeSync(this.#fd, lines, written, total - written);
      }
      this.#end += total;
      return undefined;
    } catch (error) {
      this.#end = -1;
      return { written, error: this.#appendFailed(error) };
    }
  }

  #appendFailed(cause: unknown): Error {
    return storeError("append_failed", `Cannot append to "${this.file}": ${(cause as Error).message}`, {
      retryable: codeOf(cause) === "ENOSPC" || codeOf(cause) === "EDQUOT",
      cause,
      fields: { path: this.file },
    });
  }

  // A write that stopped half-way has still written its first lines whole: those happened.
  #acknowledge(batch: Pending[], failed: FailedWrite | undefined): void {
    let end = 0;
    for (const pending of batch) {
      end += pending.length;
      if (failed && end > failed.written) pending.reject(failed.error);
      else if (this.#durability === "sync") this.#unsynced.push(pending);
      else pending.resolve();
    }
    if (this.#unsynced.length > 0) this.#sync();
  }

  // Two bytes from our own last newline on: if there is one and no more, nobody wrote behind it or cut it off. By
  // `readv`, in which Node does less on the way to the system than in `read`.
  #endsWhereWeLeftIt(): boolean {
    return this.#end > 0 && fs.readvSync(this.#fd, [LAST], this.#end - 1) === 1 && LAST[0] === NEWLINE_BYTE;
  }

  // Keeps I1.
  #closeForeignLine(): void {
    const { size } = fs.fstatSync(this.#fd);
    this.#end = size;
    if (size === 0) return;
    fs.readSync(this.#fd, LAST, 0, 1, size - 1);
    if (LAST[0] !== NEWLINE_BYTE) this.#end += this.#files.writeSync(this.#fd, "\n");
  }

  #sync(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    const group = this.#unsynced;
    this.#unsynced = [];
    this.#files.fdatasync(this.#fd, (error) => {
      this.#isSyncing = false;
      if (error) this.#failSync(group, error);
      else for (const pending of group) pending.resolve();
      if (this.#unsynced.length > 0) this.#sync();
      else for (const resolve of this.#idle.splice(0)) resolve();
    });
  }

  // The system may have dropped the pages it could not write, so a later sync would prove nothing (keeps I3).
  #failSync(group: Pending[], cause: Error): void {
    this.#failure = storeError(
      "sync_failed",
      `Cannot sync "${this.file}": ${cause.message}; reopen it and read what is there`,
      {
        cause,
        fields: { path: this.file },
      },
    );
    for (const pending of [...group, ...this.#unsynced.splice(0)]) pending.reject(this.#failure);
  }
}

function bytesOf(line: string | Uint8Array): Uint8Array {
  const bytes = typeof line === "string" ? Buffer.from(line) : line;
  if (bytes.length === 0 || bytes.indexOf(NEWLINE_BYTE) >= 0)
    throw new TypeError("Cannot append line: it is empty or holds a newline");
  return bytes;
}

const BATCH_BYTES_MIN = 1 << 16;
/** What a burst needed more is given back. */
const BATCH_BYTES_KEPT = 1 << 20;
const NOTHING: Buffer = Buffer.alloc(0);
const NEWLINE_BYTE = 10;
const NEWLINE: Uint8Array = Buffer.of(NEWLINE_BYTE);
const LAST: Buffer = Buffer.allocUnsafeSlow(2);
const DONE: Promise<void> = Promise.resolve();
