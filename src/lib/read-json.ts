import fs from "node:fs";
import { codeOf } from "./errors.ts";

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : Buffer.from(text).toString("utf8"));
  } catch {
    return undefined;
  }
}

const noFile: ReadonlySet<string | undefined> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ELOOP",
  "EACCES",
  "EPERM",
]);

/** The value of a small JSON file; undefined when it is not there, not ours to read, or (for a moment) not whole. */
export function readJson(file: string): unknown {
  try {
    return parseJson(fs.readFileSync(file, "utf8"));
  } catch (error) {
    if (noFile.has(codeOf(error))) return undefined;
    throw error;
  }
}
