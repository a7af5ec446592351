import { isUtf8 } from "node:buffer";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { storeError } from "../errors.ts";
import { diffTimeoutMs } from "../../lib/limits.ts";
import { filesAt, readFileHistory, type TrackedFile } from "./file-history.ts";
import { findSnapshot } from "./find-snapshot.ts";
import type { CompanionsOf, ProblemReason } from "./read-companion.ts";
import { findTargetRefusal, readTracked, type TargetRefusal } from "./restore-target.ts";

export interface DiffRequest {
  /** A snapshot, as `findSnapshot` finds it. */
  from?: string | undefined;
  /** A later snapshot; without it the files as they are now. */
  to?: string | undefined;
  /** Only this file: absolute, or as the session tracked it. */
  path?: string | undefined;
}

export interface DiffFilesOptions extends CompanionsOf, DiffRequest {}

export type FileDiff = { path: string } & (
  | { kind: "same" }
  /** A unified diff; a file that was not there is named /dev/null. */
  | { kind: "changed"; patch: string }
  /** They differ, and one of them is not text, or they share too little to compare in time. */
  | { kind: "binary" | "too-different" }
  | { kind: "unknown"; reason: DiffObstacle }
);

export type DiffObstacle = "backup-lost" | TargetRefusal | ProblemReason;

/** What changed in the files that a session tracked, in the order of their paths. */
export async function diffFiles({ from, to, path: only, ...options }: DiffFilesOptions): Promise<FileDiff[]> {
  const history = await readFileHistory(options);
  const before = filesAt(history, await findSnapshot(options.session, history, from));
  const after =
    to === undefined ? undefined : filesAt(history, await findSnapshot(options.session, history, to));
  const isWanted = (file: TrackedFile): boolean =>
    only === undefined || [file.path, file.trackingPath].includes(only);
  const files = [...before.values()].filter(isWanted).sort((a, b) => (a.path < b.path ? -1 : 1));
  if (only !== undefined && files.length === 0) {
    throw storeError("companion_not_found", `Cannot compare "${only}": the session did not track it`, {
      fields: { near: [...before.keys()] },
    });
  }
  return files.map((file) => {
    const now = after ? contentThen(after.get(file.path)) : contentNow(file, history.cwd);
    return diffFile(file.path, { old: contentThen(file), new: now });
  });
}

type Content =
  | { kind: "bytes"; bytes: Buffer }
  | { kind: "absent" }
  | { kind: "unknown"; reason: DiffObstacle };

function contentThen(file: TrackedFile | undefined): Content {
  if (file?.was.kind === "absent") return file.was;
  const content = file?.was.kind === "present" ? readContent(file.was.backup) : undefined;
  return content === undefined || content.kind === "absent"
    ? { kind: "unknown", reason: "backup-lost" }
    : content;
}

function contentNow(file: TrackedFile, cwd: string | undefined): Content {
  const refusal = findTargetRefusal(file, { cwd });
  return refusal ? { kind: "unknown", reason: refusal } : readContent(file.path);
}

function readContent(file: string): Content {
  const read = readTracked(file);
  if (read.kind === "problem") return { kind: "unknown", reason: read.problem.reason };
  return read.kind === "absent" ? read : { kind: "bytes", bytes: read.bytes };
}

function diffFile(path: string, sides: { old: Content; new: Content }): FileDiff {
  if (sides.old.kind === "unknown") return { path, ...sides.old };
  if (sides.new.kind === "unknown") return { path, ...sides.new };
  const bytes = [bytesOf(sides.old), bytesOf(sides.new)] as const;
  if (sides.old.kind === sides.new.kind && bytes[0].equals(bytes[1])) return { path, kind: "same" };
  if (!bytes.every(isText)) return { path, kind: "binary" };
  const patch = createTwoFilesPatch(
    sides.old.kind === "absent" ? "/dev/null" : path,
    sides.new.kind === "absent" ? "/dev/null" : path,
    bytes[0].toString("utf8"),
    bytes[1].toString("utf8"),
    undefined,
    undefined,
    { timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY },
  );
  return patch === undefined ? { path, kind: "too-different" } : { path, kind: "changed", patch };
}

function bytesOf(content: Exclude<Content, { kind: "unknown" }>): Buffer {
  return content.kind === "bytes" ? content.bytes : Buffer.alloc(0);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
