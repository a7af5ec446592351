import fs from "node:fs";
import path from "node:path";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { syncDir } from "../../lib/private-dir.ts";
import { isPack, listCopies, pendingFile, removedFile, type ArchivedCopy } from "./archived-copies.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;

/** What the archive holds, for whoever has its lease: read once, and true after each change. */
export class ArchiveContents {
  /** What cannot be read. */
  readonly unreadable: Error[] = [];
  readonly #files: FileOps;
  #copies: ArchivedCopy[];

  constructor(archiveDir: string, files: FileOps = nodeFileOps) {
    this.#files = files;
    this.#copies = listCopies({ archiveDir, onUnreadable: (_, error) => this.unreadable.push(error) });
  }

  /** Newest transcript first. */
  get copies(): readonly ArchivedCopy[] {
    return this.#copies;
  }

  add(copies: readonly ArchivedCopy[]): void {
    this.#copies = [...copies, ...this.#copies].sort((a, b) => b.modifiedMs - a.modifiedMs);
  }

  /** Takes copies out of the archive. A pack stays as it is until nothing of it is left. */
  remove(copies: Iterable<ArchivedCopy>): void {
    const gone = new Set(copies);
    this.#copies = this.#copies.filter((copy) => !gone.has(copy));
    const left = new Set(this.#copies.map(({ holder }) => holder));
    for (const [holder, removed] of Map.groupBy(gone, (copy) => copy.holder)) {
      if (!isPack(holder)) removeFolder(holder, this.#files);
      else if (left.has(holder)) noteRemoved(holder, removed, this.#files);
      else removePack(holder, this.#files);
    }
  }
}

// Not synced: a copy that comes back after a loss of power is there twice, which does no harm.
function noteRemoved(pack: string, copies: readonly ArchivedCopy[], files: FileOps): void {
  const fd = files.openSync(removedFile(pack), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    // What a full disk cut off before is ended first.
    const lines = copies.map(({ number }) => `\n{"session":${number}}\n`);
    writeFully(fd, Buffer.from(lines.join("")), files);
  } finally {
    files.closeSync(fd);
  }
}

/** The pack before what is noted of it: without its notes, all of it would be there again. */
export function removePack(pack: string, files: FileOps = nodeFileOps): void {
  files.unlinkSync(pack);
  syncDir(path.dirname(pack), files);
  for (const file of [removedFile(pack), pendingFile(pack)]) if (fs.existsSync(file)) files.unlinkSync(file);
}

// Under a temporary name first, so that half of it is never taken for whole.
function removeFolder(dir: string, files: FileOps): void {
  const doomed = path.join(path.dirname(dir), `.${path.basename(dir)}.tmp`);
  files.renameSync(dir, doomed);
  fs.rmSync(doomed, { recursive: true, force: true });
}
