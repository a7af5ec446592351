import fs from "node:fs";
import path from "node:path";
import { tempName } from "./temp-name.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/**
 * As createFileAtomic, without blocking the event loop while the disk syncs: the file appears whole and synced, or
 * EEXIST is thrown and the one that is there stays.
 */
export async function createFileAtomicAsync(file: string, data: string): Promise<void> {
  const dir = path.dirname(file);
  const temp = tempName(file);
  const handle = await fs.promises.open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(data);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await fs.promises.link(temp, file);
  } finally {
    await fs.promises.rm(temp, { force: true });
  }
  const folder = await fs.promises.open(dir, fs.constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
