import fs from "node:fs/promises";
import path from "node:path";
import { walkedEntriesMax } from "./limits.ts";

export interface WalkedFile {
  /** From the root, with slashes. */
  relativePath: string;
  file: string;
}

/** What a walk passed over, for who tells the result. */
export interface WalkGaps {
  /** It ended at its limit. */
  isCut: boolean;
  unreadableFolders: number;
}

/**
 * Every file below a folder, names in order, without following links to folders. Passes over `.git`, and over
 * `node_modules` unless `withPackages`; notes what it could not see in `gaps`.
 */
export async function* walkFiles(
  root: string,
  { withPackages, signal, gaps }: { withPackages: boolean; signal: AbortSignal; gaps: WalkGaps },
): AsyncGenerator<WalkedFile> {
  const folders = [""];
  let entriesLeft = walkedEntriesMax;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await fs.readdir(path.join(root, folder), { withFileTypes: true }).catch(() => undefined);
    if (!entries) gaps.unreadableFolders++;
    const below: string[] = [];
    for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entriesLeft-- <= 0) {
        gaps.isCut = true;
        return;
      }
      const relativePath = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== ".git" && (withPackages || entry.name !== "node_modules"))
          below.push(relativePath);
      } else if (entry.isFile() || entry.isSymbolicLink())
        yield { relativePath, file: path.join(root, relativePath) };
    }
    folders.push(...below.reverse());
  }
}

/** What is missing from a result, as lines in parentheses. */
export function describeGaps({ isCut, unreadableFolders }: WalkGaps): string[] {
  return [
    ...(isCut ? [`(only ${walkedEntriesMax} files and folders were looked at; name a folder)`] : []),
    ...(unreadableFolders > 0 ? [`(${unreadableFolders} folders could not be read)`] : []),
  ];
}
