import { filesLookedAtMax } from "./limits.ts";
import { walkFiles } from "../runners/anthropic/tools/walk-files.ts";

export interface FindFilesOptions {
  cwd: string;
  limit: number;
  /** Gives the search up: somebody has typed on. */
  signal: AbortSignal;
}

/**
 * Files below a folder whose paths have what was typed, whatever the case: those whose name begins so first, then those
 * whose path does, then the others; of these the short ones. Passes over `.git` and `node_modules`, and gives up what is
 * behind the first files of a very large folder.
 */
export async function findFiles(typed: string, { cwd, limit, signal }: FindFilesOptions): Promise<string[]> {
  const wanted = typed.toLowerCase();
  const found: { file: string; rank: number }[] = [];
  const gaps = { isCut: false, unreadableFolders: 0 };
  let looked = 0;
  for await (const { relativePath: file } of walkFiles(cwd, { withPackages: false, signal, gaps })) {
    const rank = rankOf(file.toLowerCase(), wanted);
    if (rank !== undefined) found.push({ file, rank });
    // Only the best are kept.
    if (found.length >= limit * 50) best(found, limit);
    if (++looked >= filesLookedAtMax) break;
  }
  return best(found, limit).map(({ file }) => file);
}

function rankOf(file: string, wanted: string): number | undefined {
  const at = file.lastIndexOf("/") + 1;
  if (file.startsWith(wanted, at)) return 0;
  if (file.startsWith(wanted)) return 1;
  return file.includes(wanted) ? 2 : undefined;
}

function best<Found extends { file: string; rank: number }>(found: Found[], limit: number): Found[] {
  found.sort((a, b) => a.rank - b.rank || a.file.length - b.file.length || (a.file < b.file ? -1 : 1));
  found.length = Math.min(found.length, limit);
  return found;
}
