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
  "EAGAIN",
]);

/** How a small file is read that may be something else: a named pipe would hold up whoever opens it without O_NONBLOCK. */
export const unhanging = {
  encoding: "utf8",
  flag: fs.constants.O_RDONLY | fs.constants.O_NONBLOCK,
} as unknown as { encoding: "utf8"; flag: string };

/** The value of a small JSON file; undefined when it is not there, not ours to read, or (for a moment) not whole. */
export function readJson(file: string): unknown {
  try {
    return parseJson(fs.readFileSync(file, unhanging));
  } catch (error) {
    if (noFile.has(codeOf(error))) return undefined;
    throw error;
  }
}
