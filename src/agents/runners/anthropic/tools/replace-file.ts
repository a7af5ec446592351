import { constants } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../../../lib/errors.ts";
import { tempName } from "../../../../lib/temp-name.ts";
import { inPermittedFolder } from "./open-file.ts";

/**
 * Gives the file that was permitted, by its real path, new contents, making its folders when they are missing. A file that is
 * there is replaced whole, so that a crash leaves the old text or the new one; links to it, its mode and its owner stay, if
 * need be by writing in place.
 */
export async function replaceFile(permitted: string, text: string): Promise<void> {
  await inPermittedFolder(permitted, async (folder) => {
    const target = path.join(folder, path.basename(permitted));
    const stat = await fs.lstat(target).catch(() => undefined);
    const isOurs = stat?.uid === process.geteuid?.() && stat?.nlink === 1 && stat.isFile();
    if (stat && isOurs && (await replaceWhole(target, { text, mode: stat.mode & 0o7777 }))) return;
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    await fs.writeFile(target, text, { flag: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW });
  });
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
