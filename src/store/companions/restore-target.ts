import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { pathBelow } from "../../lib/path-below.ts";
import type { TrackedFile } from "./file-history.ts";
import { trackedFileBytesMax } from "./limits.ts";
import { readCompanion, type ReadCompanion } from "./read-companion.ts";

export type TargetRefusal =
  /** Not below the session's cwd, and no backup proves that the session really changed it. */
  | "outside-cwd"
  /** The file, or a folder on the way to it, is a link. */
  | "link"
  | "not-a-file"
  /** It lies on a machine with Windows. */
  | "other-system"
  | "unreadable";

/**
 * Why a tracked file may not be read or replaced; undefined when it may. Below the session's cwd every folder
 * on the way is looked at; elsewhere every folder from the root. Not proof against a program that puts
 * a link there between this look and the write.
 */
export function findTargetRefusal(
  { path: file, isProven, isForeign }: Pick<TrackedFile, "path" | "isProven" | "isForeign">,
  { cwd }: { cwd: string | undefined },
): TargetRefusal | undefined {
  if (isForeign) return "other-system";
  const isOwn = cwd !== undefined && !!pathBelow(cwd, file);
  if (!isOwn && !isProven) return "outside-cwd";
  const base = isOwn ? cwd : path.parse(file).root;
  const names = path.relative(base, file).split(path.sep);
  let at = base;
  for (const [index, name] of names.entries()) {
    at = path.join(at, name);
    const found = kindOf(at);
    if (found === "nothing") return undefined;
    const wanted = index === names.length - 1 ? "file" : "folder";
    if (found !== wanted) return found === "link" || found === "unreadable" ? found : "not-a-file";
  }
  return undefined;
}

/** What a tracked file, or a backup of it, holds. Never through a link. */
export function readTracked(file: string): ReadCompanion {
  return readCompanion(file, { bytesMax: trackedFileBytesMax, noFollow: true });
}

function kindOf(file: string): "file" | "folder" | "link" | "other" | "nothing" | "unreadable" {
  try {
    const stat = fs.lstatSync(file);
    if (stat.isSymbolicLink()) return "link";
    if (stat.isDirectory()) return "folder";
    return stat.isFile() ? "file" : "other";
  } catch (error) {
    switch (codeOf(error)) {
      case "ENOENT":
        return "nothing";
      case "ENOTDIR":
        return "other";
      default:
        return "unreadable";
    }
  }
}
