import fs from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../../../lib/errors.ts";
import { tempName } from "../../../../lib/temp-name.ts";

/**
 * Gives a file new contents, making its folders when they are missing. A file that is there is replaced whole, so that a
 * crash leaves the old text or the new one; links to it, its mode and its owner stay, if need be by writing in place.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const target = await fs.realpath(file).catch(() => file);
  const stat = await fs.stat(target).catch(() => undefined);
  const isOurs = stat?.uid === process.geteuid?.() && stat?.nlink === 1;
  if (stat && isOurs && (await replaceWhole(target, { text, mode: stat.mode & 0o7777 }))) return;
  await fs.writeFile(target, text);
}

// False when the folder takes no new file.
async function replaceWhole(file: string, { text, mode }: { text: string; mode: number }): Promise<boolean> {
  const temp = tempName(file);
  try {
    await fs.writeFile(temp, text, { flag: "wx", mode, flush: true });
    await fs.chmod(temp, mode);
    await fs.rename(temp, file);
    return true;
  } catch (error) {
    await fs.rm(temp, { force: true });
    if (["EACCES", "EPERM", "EBUSY", "EXDEV"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}
