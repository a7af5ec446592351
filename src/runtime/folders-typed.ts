import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { foldersTypedMax } from "./limits.ts";

/**
 * Folders whose path begins as typed, in order: for a field in which a folder is named. Hidden ones only when a dot is typed.
 * None where the folder above cannot be read.
 */
export async function foldersTyped(typed: string, { cwd }: { cwd: string }): Promise<string[]> {
  const whole = typed.replace(/^~(?=\/|$)/, os.homedir());
  const isInside = whole === "" || whole.endsWith("/");
  const above = path.resolve(cwd, isInside ? whole || "." : path.dirname(whole));
  const beginning = isInside ? "" : path.basename(whole);
  const found: string[] = [];
  try {
    for await (const entry of await fs.promises.opendir(above)) {
      const { name } = entry;
      if (!name.startsWith(beginning) || (name.startsWith(".") && !beginning.startsWith("."))) continue;
      const folder = path.join(above, name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(folder))))
        found.push(folder);
    }
  } catch {
    // Not there, not a folder, or not ours to read: what was typed leads nowhere.
    return [];
  }
  return found.sort().slice(0, foldersTypedMax);
}

async function leadsToFolder(link: string): Promise<boolean> {
  return (await fs.promises.stat(link).catch(() => undefined))?.isDirectory() === true;
}
