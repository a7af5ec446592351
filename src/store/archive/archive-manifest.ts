import fs from "node:fs";
import path from "node:path";
import { archiveItemsMax } from "../../format/limits.ts";
import { isSafeName } from "../../format/paths.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type { SessionSummary } from "../list-sessions.ts";
import { packedSuffix } from "./packed-form.ts";

/** What one folder of the archive holds. Written last, so a folder with a manifest is whole. */
export interface ArchiveManifest {
  version: 1;
  sessionId: string;
  project: string;
  archivedAt: string;
  /** As a list shows it: read from the transcript once, because unpacking it for a list would cost too much. */
  summary: Omit<SessionSummary, "path" | "archived">;
  /** The first is the transcript. */
  items: ArchivedItem[];
}

export type ArchivedItem = ArchivedFile | ArchivedLink;

export interface ArchivedFile {
  /** Below the config folder, with slashes. */
  path: string;
  bytes: number;
  sha256: string;
  storedBytes: number;
  mode: number;
  modifiedAt: string;
}

export interface ArchivedLink {
  path: string;
  target: string;
}

export const manifestName = "manifest.json";
/** There while the originals of an archived session still have to be removed. */
export const pendingName = "originals-remain";

export function isArchivedLink(item: ArchivedItem): item is ArchivedLink {
  return "target" in item;
}

/** Where an item stands in its folder of the archive, in the client's own layout: `zstd -d` gives it back by hand, too. */
export function packedPath(dir: string, item: ArchivedItem): string {
  return path.join(dir, "files", `${item.path}${packedSuffix}`);
}

/** The manifest of a folder; undefined when it has none that can be trusted with paths. */
export function readArchiveManifest(dir: string): ArchiveManifest | undefined {
  let manifest: ArchiveManifest;
  try {
    manifest = JSON.parse(fs.readFileSync(path.join(dir, manifestName), "utf8")) as ArchiveManifest;
  } catch {
    return undefined;
  }
  const isWhole =
    isJsonObject(manifest) &&
    manifest.version === 1 &&
    isSafeName(manifest.sessionId) &&
    isSafeName(manifest.project) &&
    isJsonObject(manifest.summary) &&
    Array.isArray(manifest.items) &&
    manifest.items.length <= archiveItemsMax;
  return isWhole && manifest.items.length > 0 && manifest.items.every(isItem) ? manifest : undefined;
}

// Items become paths that are written to and removed: none may lead out of the config folder.
function isItem(item: unknown): item is ArchivedItem {
  if (!isJsonObject(item) || typeof item["path"] !== "string") return false;
  if (!item["path"].split("/").every(isSafeName)) return false;
  if (typeof item["target"] === "string") return true;
  return typeof item["sha256"] === "string" && typeof item["bytes"] === "number";
}
