import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { moveTo } from "../../store/list/session-files.ts";

/** What a repair replaced or took away, in a folder of its own below `repairs/` of the home. */
export interface Backup {
  readonly dir: string;
  /** Keeps the bytes of a file that is about to be replaced; returns where. Durable when it returns. */
  keep(file: string, why: unknown): string;
  /** Takes a file or folder away. */
  take(file: string, why: unknown): string;
}

interface BackupItem {
  from: string;
  name: string;
  why: unknown;
}

/** A backup that makes its folder when it is first needed. Its manifest says where everything came from. */
export function openBackup({
  home,
  clock,
  files = nodeFileOps,
}: {
  home: string;
  clock: Clock;
  files?: FileOps | undefined;
}): Backup {
  const stamp = clock
    .now()
    .toISOString()
    .replace(/[^0-9]/g, "")
    .slice(0, 14);
  const dir = path.join(holdfastPaths(home).repairsDir, `${stamp}-${randomBytes(3).toString("hex")}`);
  const items: BackupItem[] = [];
  // The manifest first: whatever moment the process dies at, it is known what was meant to be here.
  const place = (from: string, why: unknown): string => {
    ensurePrivateDir(dir, files);
    const name = `${items.length}-${path.basename(from)}`;
    items.push({ from, name, why });
    const manifest = { version: 1, repairedAt: clock.now().toISOString(), items };
    writeFileAtomic(path.join(dir, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { files });
    return path.join(dir, name);
  };
  return {
    dir,
    keep(file, why) {
      const to = place(file, why);
      try {
        files.linkSync(file, to);
      } catch (error) {
        if (codeOf(error) !== "EXDEV" && codeOf(error) !== "EPERM") throw error;
        copy(file, to, files);
      }
      syncDir(dir, files);
      return to;
    },
    take(file, why) {
      const to = place(file, why);
      moveTo(file, to, files);
      return to;
    },
  };
}

function copy(from: string, to: string, files: FileOps): void {
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  const fd = files.openSync(to, "r");
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}
