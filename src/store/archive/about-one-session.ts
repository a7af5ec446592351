import { codeOf } from "../../lib/errors.ts";

const codes: ReadonlySet<string> = new Set([
  "session_in_use",
  "conflict",
  "session_not_found",
  "unsafe_path",
  "EACCES",
  "EPERM",
  "EROFS",
  "EBUSY",
  "ENOENT",
  "ELOOP",
]);

/**
 * Whether an error says that one session is in use, or that its files are not ours to read or remove: the others can be
 * archived all the same. A full disk concerns all of them.
 */
export function isAboutOneSession(error: unknown): boolean {
  return error instanceof RangeError || codes.has(codeOf(error) ?? "");
}
