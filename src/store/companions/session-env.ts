import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import { readCompanion, readNames, type CompanionProblem } from "./read-companion.ts";

/** A file that a hook left for the shells of a session; it may hold secrets. */
export interface SessionEnvFile {
  name: string;
  path: string;
  text: string;
  updatedAt: string;
}

export interface SessionEnv {
  /** In name order. */
  files: SessionEnvFile[];
  problems: CompanionProblem[];
}

export function readSessionEnv({
  configDir,
  sessionId,
}: {
  configDir: string;
  sessionId: string;
}): SessionEnv {
  const dir = configPaths(configDir).sessionEnvDir(sessionId);
  const result: SessionEnv = { files: [], problems: [] };
  for (const name of readNames(dir, result.problems)) {
    const file = path.join(dir, name);
    const read = readCompanion(file);
    if (read.kind === "problem") result.problems.push(read.problem);
    if (read.kind !== "read") continue;
    const updatedAt = read.stat.mtime.toISOString();
    result.files.push({ name, path: file, text: read.bytes.toString("utf8"), updatedAt });
  }
  return result;
}
