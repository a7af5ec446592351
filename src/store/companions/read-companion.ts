import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { companionBytesMax } from "./limits.ts";

/** A companion that could not be used, and why: reported beside what could, never skipped in silence. */
export interface CompanionProblem {
  path: string;
  reason: ProblemReason;
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

export type ReadCompanion =
  | { kind: "read"; bytes: Buffer; stat: fs.Stats }
  | { kind: "absent" }
  | { kind: "problem"; problem: CompanionProblem };

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
    if (!stat.isFile()) return problemOf(file, "not-a-file");
    if (stat.size > bytesMax) return problemOf(file, "too-large");
    return { kind: "read", bytes: fs.readFileSync(fd), stat };
  } finally {
    fs.closeSync(fd);
  }
}

export type ReadJson =
  | { kind: "read"; value: unknown }
  | { kind: "absent" }
  | { kind: "problem"; problem: CompanionProblem };

export function readJsonCompanion(file: string): ReadJson {
  const read = readCompanion(file);
  if (read.kind !== "read") return read;
  try {
    return { kind: "read", value: JSON.parse(read.bytes.toString("utf8").replace(/^\uFEFF/, "")) };
  } catch {
    return problemOf(file, "not-json");
  }
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

export function problemOf(
  file: string,
  reason: ProblemReason,
): { kind: "problem"; problem: CompanionProblem } {
  return { kind: "problem", problem: { path: file, reason } };
}

function refusalOf(
  file: string,
  error: unknown,
): { kind: "absent" } | { kind: "problem"; problem: CompanionProblem } {
  switch (codeOf(error)) {
    case "ENOENT":
      return { kind: "absent" };
    case "EACCES":
    case "EPERM":
      return problemOf(file, "unreadable");
    case "ELOOP":
    case "ENOTDIR":
    case "ENXIO":
    case "EISDIR":
      return problemOf(file, "not-a-file");
    default:
      throw error;
  }
}
