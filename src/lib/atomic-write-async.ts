import fs from "node:fs";
import path from "node:path";
import { tempName } from "./temp-name.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/**
 * As createFileAtomic, without blocking the event loop while the disk works: when it returns, the file is there whole
 * and synced; when it throws, it is not, or (EEXIST) the one that was there stays. Others may see the whole file a
 * moment before it is synced: so one sync of the file saves all that was done to its folder, and that of the folder
 * (which not every file system spares us) finds nothing left to do.
 */
export async function createFileAtomicAsync(file: string, data: string): Promise<void> {
  const temp = tempName(file);
  const handle = await fs.promises.open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(data);
      await fs.promises.link(temp, file);
    } finally {
      await fs.promises.rm(temp, { force: true });
    }
    await orRemove(file, async () => {
      await handle.sync();
      await syncFolder(path.dirname(file));
    });
  } finally {
    await handle.close();
  }
}

/** Puts a file that is there on the disk, with its name. */
export async function syncFileAndFolder(file: string): Promise<void> {
  await Promise.all([syncPath(file, O_RDONLY | O_NOFOLLOW), syncFolder(path.dirname(file))]);
}

function syncFolder(dir: string): Promise<void> {
  return syncPath(dir, O_RDONLY);
}

// Opening what is there and closing it wait for no disk, and take less time than having another thread do it.
function syncPath(target: string, flags: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const descriptor = fs.openSync(target, flags);
    fs.fsync(descriptor, (error) => {
      fs.closeSync(descriptor);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function orRemove(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await fs.promises.rm(file, { force: true });
    throw error;
  }
}
