import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../src/lib/errors.ts";
import { tempDir } from "./temp-dir.ts";

const PAGE = 4096;

/** A file system of its own, small enough to fill. Throws where this process may not mount one. */
export function smallDisk(
  kilobytes: number,
  { files = 0 }: { files?: number } = {},
): Disposable & { dir: string } {
  const dir = path.join(tempDir(), "disk");
  fs.mkdirSync(dir);
  const size = `size=${kilobytes}k,nr_inodes=${files},mode=700`;
  execFileSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", dir]);
  return { dir, [Symbol.dispose]: () => void execFileSync("umount", ["-l", dir]) };
}

/** Whether tests of full and read-only disks can run here; says so where they cannot. */
export function canMount(): boolean {
  try {
    if (process.getuid?.() !== 0) throw new Error("not root");
    smallDisk(64)[Symbol.dispose]();
    return true;
  } catch {
    process.stdout.write("skipped: full and read-only disks need the right to mount\n");
    return false;
  }
}

/** Takes all room but so many pages; less where others take room meanwhile. */
export function fillDisk(dir: string, { leave }: { leave: number }): void {
  const { bavail, bsize } = fs.statfsSync(dir);
  const fd = fs.openSync(path.join(dir, "ballast"), "a");
  const wanted = bavail * bsize - leave * PAGE;
  try {
    for (let written = 0; written < wanted;)
      written += fs.writeSync(fd, Buffer.alloc(Math.min(PAGE, wanted - written), 1));
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** Takes the places of all files that could still be made; a link is one, too. */
export function fillPlaces(dir: string): void {
  for (let count = 0; ; count++) {
    try {
      fs.writeFileSync(path.join(dir, `place${count}`), "");
    } catch {
      return;
    }
  }
}

export function freeDisk(dir: string): void {
  fs.rmSync(path.join(dir, "ballast"));
}

/** False while something there is open for writing. */
export function remountDisk(dir: string, mode: "ro" | "rw"): boolean {
  try {
    execFileSync("mount", ["-o", `remount,${mode}`, dir], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
