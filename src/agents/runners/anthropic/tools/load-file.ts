import fs from "node:fs/promises";
import { editedFileBytesMax } from "./limits.ts";
import { codeOf } from "../../../../lib/errors.ts";
import { fileState } from "./known-files.ts";

export type LoadedFile = { bytes: Buffer; state: string } | { refusal: string; isMissing?: true };

/**
 * A file's bytes, or why it has none that a tool could use. Only plain files are opened: a pipe or a device would never
 * end. Throws what the system says otherwise.
 */
export async function loadFile(file: string): Promise<LoadedFile> {
  const stat = await fs.stat(file, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (!stat) return { refusal: `There is no file "${file}"`, isMissing: true };
  if (stat.isDirectory()) return { refusal: `"${file}" is a folder; list it with Glob or Bash` };
  if (!stat.isFile()) return { refusal: `"${file}" is no plain file` };
  if (stat.size > editedFileBytesMax)
    return {
      refusal: `"${file}" has ${stat.size} bytes, more than ${editedFileBytesMax}; look at parts of it with Grep or Bash`,
    };
  // The state from before: whoever writes meanwhile makes it differ.
  return { state: fileState(stat), bytes: await fs.readFile(file) };
}

/** Text has no NUL byte; every other file of this sort does, early. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
