import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { packBytesMax, packItemsMax, packedFrameBytesMax, packedGroupBytes } from "./limits.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { isArchivedLink, type StoredFile, type StoredManifest } from "./archive-manifest.ts";
import type { PackDirectory } from "./archived-copies.ts";
import { packSuffix } from "./packed-address.ts";
import { buildFrameTable, type Frame } from "./packed-form.ts";

const compress = promisify(zstdCompress);
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
// The usual level: a higher one gains a fifth and costs twice the time. Each frame carries a checksum of its content.
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export interface SessionInPack {
  manifest: Omit<StoredManifest, "storedBytes">;
  /** When its transcript was last written to. */
  modifiedMs: number;
}

/** A pack that is being written, under a temporary name. It holds at most one frame in memory. */
export class PackWriter {
  readonly path: string;
  readonly #files: FileOps;
  readonly #fd: number;
  readonly #frames: Omit<Frame, "at">[] = [];
  #content = 0;
  #items = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(archiveDir: string, files: FileOps = nodeFileOps) {
    this.#files = files;
    this.path = path.join(archiveDir, `.${randomBytes(8).toString("hex")}${packSuffix}`);
    this.#fd = files.openSync(this.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  /** Whether a session fits; one that is too large for any pack has one of its own. */
  hasRoomFor({ bytes, items }: { bytes: number; items: number }): boolean {
    const isEmpty = this.#items === 0;
    return isEmpty || (this.#content + bytes <= packBytesMax && this.#items + items <= packItemsMax);
  }

  /** Adds the content of a file. What is appended to it meanwhile is not taken: the caller looks whether it changed. */
  async addFile(
    file: string,
    onBytes: (bytes: number) => void,
  ): Promise<Pick<StoredFile, "at" | "bytes" | "sha256">> {
    const fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW);
    try {
      const { size } = fs.fstatSync(fd);
      // Small files share a frame; a large one has its own, so that a small one never costs a large frame.
      if (this.#waitingBytes + size > packedGroupBytes) await this.#endFrame();
      const at = this.#content;
      const hash = createHash("sha256");
      let bytes = 0;
      while (bytes < size) {
        const piece = readBytes(fd, { offset: bytes, length: Math.min(packedFrameBytesMax, size - bytes) });
        if (piece.length === 0) break;
        hash.update(piece);
        await this.#add(piece);
        bytes += piece.length;
        onBytes(piece.length);
      }
      this.#items += 1;
      return { at, bytes, sha256: hash.digest("hex") };
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Writes what a reader needs to find the sessions, and syncs. */
  async finish(sessions: readonly SessionInPack[]): Promise<StoredManifest[]> {
    await this.#endFrame();
    const manifests = sessions.map(({ manifest }) => ({ ...manifest, storedBytes: this.#shareOf(manifest) }));
    const directory: PackDirectory = { version: 2, sessions: [] };
    for (const [index, manifest] of manifests.entries()) {
      const line = Buffer.from(`${JSON.stringify(manifest)}\n`);
      const { sessionId } = manifest;
      const { modifiedMs } = sessions[index]!;
      directory.sessions.push({ sessionId, modifiedMs, at: this.#content, bytes: line.length });
      await this.#add(line);
    }
    await this.#endFrame();
    await this.#add(Buffer.from(`${JSON.stringify(directory)}\n`));
    await this.#endFrame();
    writeFully(this.#fd, buildFrameTable(this.#frames), this.#files);
    this.#files.fsyncSync(this.#fd);
    return manifests;
  }

  /** Gives the file up; one that has got its name by then stays. */
  discard(): void {
    this.#files.closeSync(this.#fd);
    fs.rmSync(this.path, { force: true });
  }

  async #add(data: Buffer): Promise<void> {
    for (let from = 0; from < data.length;) {
      const piece = data.subarray(from, from + packedFrameBytesMax - this.#waitingBytes);
      this.#waiting.push(piece);
      this.#waitingBytes += piece.length;
      this.#content += piece.length;
      from += piece.length;
      if (this.#waitingBytes >= packedGroupBytes) await this.#endFrame();
    }
  }

  async #endFrame(): Promise<void> {
    const bytes = this.#waitingBytes;
    if (bytes === 0) return;
    const frame = await compress(Buffer.concat(this.#waiting, bytes), { params });
    writeFully(this.#fd, frame, this.#files);
    this.#frames.push({ length: frame.length, offset: this.#content - bytes, bytes });
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  // The files of a session stand one behind the other. Of a frame that is not all theirs, they have a part.
  #shareOf({ items }: SessionInPack["manifest"]): number {
    const files = items.flatMap((item) => (isArchivedLink(item) ? [] : [item]));
    const [from, last] = [files[0]!.at, files.at(-1)!];
    const to = last.at + last.bytes;
    const share = this.#frames.reduce((sum, { length, offset, bytes }) => {
      const own = Math.min(to, offset + bytes) - Math.max(from, offset);
      return sum + (own > 0 ? (length * own) / bytes : 0);
    }, 0);
    return Math.round(share);
  }
}
