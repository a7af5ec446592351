import { isJsonObject } from "../../format/json-object.ts";
import { archiveItemsMax } from "./limits.ts";
import { isSafeName } from "../../format/paths.ts";
import { parseJson } from "../../lib/read-json.ts";
import type { SessionSummary } from "../list/list-sessions.ts";

/** What the archive knows of a session. */
export interface ArchiveManifest {
  sessionId: string;
  project: string;
  archivedAt: string;
  /** Of the frames, as much as the session fills. */
  storedBytes: number;
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
  mode: number;
  modifiedAt: string;
  /** Where its content is: readPacked and every call that opens transcripts read it. */
  packed: string;
}

export interface ArchivedLink {
  path: string;
  target: string;
}

/** A manifest as it stands in a pack: of a file it says where in the pack it begins. */
export interface StoredManifest extends Omit<ArchiveManifest, "items"> {
  version: 2;
  items: (StoredFile | ArchivedLink)[];
}

export interface StoredFile extends Omit<ArchivedFile, "packed"> {
  at: number;
}

export function isArchivedLink(item: { path: string }): item is ArchivedLink {
  return "target" in item;
}

/** Where the content of the transcript is. A manifest whose first item is a link is none. */
export function packedTranscript([transcript]: readonly ArchivedItem[]): string {
  return (transcript as ArchivedFile).packed;
}

/** The manifest in a text; undefined when it is none that can be trusted with paths. `packedOf` says where a file's content is. */
export function parseManifest(
  text: string,
  packedOf: (file: StoredFile) => string,
): ArchiveManifest | undefined {
  const stored = parseJson(text) as StoredManifest;
  const isWhole =
    isJsonObject(stored) &&
    isSafeName(stored.sessionId) &&
    isSafeName(stored.project) &&
    isJsonObject(stored.summary) &&
    Array.isArray(stored.items) &&
    stored.items.length > 0 &&
    stored.items.length <= archiveItemsMax &&
    stored.items.every(isItem) &&
    !isArchivedLink(stored.items[0]!);
  if (!isWhole) return undefined;
  const { sessionId, project, archivedAt, storedBytes, summary, items } = stored;
  return {
    sessionId,
    project,
    archivedAt,
    storedBytes: storedBytes ?? sumOfFiles(items),
    summary,
    items: items.map((item) => {
      if (isArchivedLink(item)) return item;
      const { path, bytes, sha256, mode, modifiedAt } = item;
      return { path, bytes, sha256, mode, modifiedAt, packed: packedOf(item) };
    }),
  };
}

// Items become paths that are written to and removed: none may lead out of the config folder.
function isItem(item: unknown): item is StoredFile | ArchivedLink {
  if (!isJsonObject(item) || typeof item["path"] !== "string") return false;
  if (!item["path"].split("/").every(isSafeName)) return false;
  if (typeof item["target"] === "string") return true;
  return typeof item["sha256"] === "string" && typeof item["bytes"] === "number";
}

// In an archive of folders each file is packed by itself.
function sumOfFiles(items: readonly object[]): number {
  return items.reduce((sum, item) => sum + ((item as { storedBytes?: number }).storedBytes ?? 0), 0);
}
