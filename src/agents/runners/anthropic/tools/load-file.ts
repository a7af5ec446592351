import { constants } from "node:fs";
import fs from "node:fs/promises";
import { realPath } from "../../../../lib/real-path.ts";
import { editedFileBytesMax } from "./limits.ts";
import { codeOf } from "../../../../lib/errors.ts";
import { fileState } from "./known-files.ts";
import { openPermitted } from "./open-file.ts";

export type LoadedFile = { bytes: Buffer; state: string } | { refusal: string; isMissing?: true };

/**
 * A file's bytes, or why it has none that a tool could use. Reads the file that was permitted, by its real path. Only plain
 * files are opened: a pipe or a device would never end. Throws what the system says otherwise.
 */
export async function loadFile(file: string, permitted: string = realPath(file)): Promise<LoadedFile> {
  const stat = await fs.stat(permitted, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
  if (!stat) return { refusal: `There is no file "${file}"`, isMissing: true };
  if (stat.isDirectory()) return { refusal: `"${file}" is a folder; list it with Glob or Bash` };
  if (!stat.isFile()) return { refusal: `"${file}" is no plain file` };
  const handle = await openPermitted(permitted, constants.O_RDONLY);
  try {
    // The state from before: whoever writes meanwhile makes it differ.
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return { refusal: `"${file}" is no plain file` };
    if (opened.size > editedFileBytesMax)
      return {
        refusal: `"${file}" has ${opened.size} bytes, more than ${editedFileBytesMax}; look at parts of it with Grep or Bash`,
      };
    return { state: fileState(opened), bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

/** Text has no NUL byte; every other file of this sort does, early. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
