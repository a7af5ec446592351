import fs from "node:fs";
import { valueOfLine } from "../../format/line-entry.ts";
import { codeOf } from "../../lib/errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { companionBytesMax } from "./limits.ts";

/** A companion that could not be used, and why: reported beside what could, never skipped in silence. */
export interface CompanionProblem {
  path: string;
  reason: ProblemReason;
}

/** Whose companions are read. */
export interface CompanionsOf {
  configDir: string;
  session: SessionRef;
  signal?: AbortSignal | undefined;
}

export type ProblemReason =
  | "unreadable"
  /** A folder, a pipe, or a link where none may be. */
  | "not-a-file"
  | "too-large"
  | "not-json"
  | "wrong-shape"
  /** A name or path that leads out of its folder, or that nothing says where it counts from. */
  | "unsafe-name";

type Refusal = { kind: "absent" } | { kind: "problem"; problem: CompanionProblem };
export type ReadCompanion = { kind: "read"; bytes: Buffer; stat: fs.Stats } | Refusal;

export interface ReadCompanionOptions {
  bytesMax?: number;
  /** Refuse a link as the last part of the path: for files whose content is written elsewhere. */
  noFollow?: boolean;
}

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/** Reads a small file whole. Whatever is wrong with it is an answer; only a broken disk throws. */
export function readCompanion(file: string, options: ReadCompanionOptions = {}): ReadCompanion {
  const { bytesMax = companionBytesMax, noFollow = false } = options;
  let fd: number;
  try {
    // Without O_NONBLOCK a named pipe in the way would hang the open.
    fd = fs.openSync(file, O_RDONLY | O_NONBLOCK | (noFollow ? O_NOFOLLOW : 0));
  } catch (error) {
    return refusalOf(file, error);
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return refuse(file, "not-a-file");
    if (stat.size > bytesMax) return refuse(file, "too-large");
    return { kind: "read", bytes: fs.readFileSync(fd), stat };
  } finally {
    fs.closeSync(fd);
  }
}

/** The value of a small JSON file; undefined when it is not there, or is a problem, which is noted. */
export function readJsonCompanion(file: string, problems: CompanionProblem[]): unknown {
  const read = readCompanion(file);
  if (read.kind === "problem") problems.push(read.problem);
  if (read.kind !== "read") return undefined;
  const value = valueOfLine(read.bytes.toString("utf8"));
  if (value === undefined) problems.push({ path: file, reason: "not-json" });
  return value;
}

/** Names in a folder, sorted; a folder that is not there has none. */
export function readNames(dir: string, problems: CompanionProblem[]): string[] {
  return readFolder(dir, problems).map(({ name }) => name);
}

/** The names in a folder that are folders themselves. A link is none: what it leads to is not ours to report. */
export function readFolderNames(dir: string, problems: CompanionProblem[]): string[] {
  return readFolder(dir, problems).flatMap((item) => (item.isDirectory() ? [item.name] : []));
}

function readFolder(dir: string, problems: CompanionProblem[]): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const refusal = refusalOf(dir, error);
    if (refusal.kind === "problem") problems.push(refusal.problem);
    return [];
  }
}

function refuse(file: string, reason: ProblemReason): Refusal {
  return { kind: "problem", problem: { path: file, reason } };
}

function refusalOf(file: string, error: unknown): Refusal {
  switch (codeOf(error)) {
    case "ENOENT":
      return { kind: "absent" };
    case "EACCES":
    case "EPERM":
      return refuse(file, "unreadable");
    case "ELOOP":
    case "ENOTDIR":
    case "ENXIO":
    case "EISDIR":
      return refuse(file, "not-a-file");
    default:
      throw error;
  }
}
