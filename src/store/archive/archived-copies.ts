import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { namesIn } from "../../lib/names-in.ts";
import { parseJson } from "../../lib/read-json.ts";
import { parseManifest, type ArchiveManifest } from "./archive-manifest.ts";
import { packSuffix, packedAddress } from "./packed-address.ts";
import { damaged, openPackedFile } from "./packed-file.ts";
import { packedSuffix } from "./packed-form.ts";
import { readPacked } from "./read-packed.ts";

export interface ArchiveContext {
  configDir: string;
  archiveDir: string;
  /** Told of what cannot be read; it is left out. */
  onUnreadable?: ((file: string, error: Error) => void) | undefined;
}

/** A copy of a session in the archive, before its manifest is read. */
export interface ArchivedCopy {
  /** The pack that it is in; in an archive of folders, its folder. */
  holder: string;
  /** Its number in the pack. */
  number: number;
  /** The session id, as far as the name of a folder holds it. */
  stem: string;
  /** When the transcript was last written to. */
  modifiedMs: number;
  /** Throws `archive_damaged`. */
  readManifest(): ArchiveManifest;
}

/** What the last frame of a pack says. */
export interface PackDirectory {
  version: 2;
  sessions: { sessionId: string; modifiedMs: number; at: number; bytes: number }[];
}

/** Which sessions of a pack are no longer in the archive. */
export function removedFile(pack: string): string {
  return `${pack}.removed`;
}

/** There while the originals of the sessions still have to be removed. */
export function pendingFile(holder: string): string {
  return isPack(holder) ? `${holder}.originals-remain` : path.join(holder, "originals-remain");
}

const STEM_LENGTH_MAX = 100;

export function archiveStem(sessionId: string): string {
  return sessionId.slice(0, STEM_LENGTH_MAX);
}

export function isPack(file: string): boolean {
  return file.endsWith(packSuffix);
}

/** Every copy of every session, newest transcript first. */
export function listCopies({ archiveDir, onUnreadable }: Omit<ArchiveContext, "configDir">): ArchivedCopy[] {
  const copies = namesIn(archiveDir, onUnreadable)
    .filter((name) => !name.startsWith("."))
    .map((name) => path.join(archiveDir, name))
    .flatMap((holder) => readOrTell(holder, () => copiesIn(holder), onUnreadable) ?? []);
  return copies.sort((a, b) => b.modifiedMs - a.modifiedMs);
}

/** The same with the manifest of each. */
export function* eachManifest({
  archiveDir,
  onUnreadable,
}: Omit<ArchiveContext, "configDir">): Generator<{ copy: ArchivedCopy; manifest: ArchiveManifest }> {
  for (const copy of listCopies({ archiveDir, onUnreadable })) {
    const manifest = readOrTell(copy.holder, () => copy.readManifest(), onUnreadable);
    if (manifest) yield { copy, manifest };
  }
}

/** What `read` gives; undefined, and told, when the archive is damaged there. What is gone by now was restored meanwhile. */
export function readOrTell<T>(
  file: string,
  read: () => T,
  onUnreadable?: ArchiveContext["onUnreadable"],
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    if (codeOf(error) !== "ENOENT") onUnreadable?.(file, error as Error);
    return undefined;
  }
}

/** The copies in a pack or folder; none in what is neither. Throws `archive_damaged`. */
export function copiesIn(holder: string): ArchivedCopy[] {
  if (isPack(holder)) return copiesInPack(holder);
  const [, stem, modified] = /^(.+)\.([0-9a-z]+)-[0-9a-f]+$/.exec(path.basename(holder)) ?? [];
  if (stem === undefined || modified === undefined) return [];
  const modifiedMs = Number.parseInt(modified, 36);
  return [{ holder, number: 0, stem, modifiedMs, readManifest: () => readFolder(holder) }];
}

function readFolder(dir: string): ArchiveManifest {
  const file = path.join(dir, "manifest.json");
  const packedOf = ({ path: name }: { path: string }): string =>
    path.join(dir, "files", `${name}${packedSuffix}`);
  const manifest = parseManifest(fs.readFileSync(file, "utf8"), packedOf);
  if (!manifest) throw damaged(file, "it is not a manifest");
  return manifest;
}

function copiesInPack(pack: string): ArchivedCopy[] {
  const removed = readRemoved(pack);
  const { sessions } = readDirectory(pack);
  const [first, last] = [sessions[0], sessions.at(-1)];
  const range = first && last && { at: first.at, bytes: last.at + last.bytes - first.at, path: "manifests" };
  let manifests: Buffer | undefined;
  return sessions.flatMap(({ sessionId, modifiedMs, at, bytes }, number) => {
    if (removed.has(number)) return [];
    const readManifest = (): ArchiveManifest => {
      manifests ??= Buffer.concat([...readPacked(packedAddress(pack, range!))]);
      const text = manifests.toString("utf8", at - range!.at, at - range!.at + bytes);
      const manifest = parseManifest(text, (file) => packedAddress(pack, file));
      if (manifest?.sessionId !== sessionId) throw damaged(pack, `its manifest at byte ${at} is wrong`);
      return manifest;
    };
    return [{ holder: pack, number, stem: archiveStem(sessionId), modifiedMs, readManifest }];
  });
}

function readDirectory(pack: string): PackDirectory {
  const packed = openPackedFile(pack);
  try {
    const { offset: at, bytes } = packed.frames.at(-1) ?? { offset: 0, bytes: 0 };
    const directory = parseJson(Buffer.concat([...packed.read({ at, bytes })]));
    if (isDirectory(directory)) return directory;
  } finally {
    packed.close();
  }
  throw damaged(pack, "its directory is wrong, or of a newer version");
}

function isDirectory(value: unknown): value is PackDirectory {
  const { version, sessions } = (value ?? {}) as Partial<PackDirectory>;
  return version === 2 && Array.isArray(sessions) && sessions.every(isEntry);
}

function isEntry(value: unknown): boolean {
  const { sessionId, at, bytes } = (value ?? {}) as Partial<PackDirectory["sessions"][number]>;
  return typeof sessionId === "string" && Number.isInteger(at) && Number.isInteger(bytes);
}

// A line that was cut off is none, and what it would have removed is still there.
function readRemoved(pack: string): Set<number> {
  const file = removedFile(pack);
  if (!fs.existsSync(file)) return new Set();
  const lines = fs.readFileSync(file, "utf8").matchAll(/^\{"session":(\d+)\}$/gm);
  return new Set([...lines].map(([, number]) => Number(number)));
}
