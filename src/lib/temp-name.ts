import path from "node:path";
import { beginningOf } from "./whole-characters.ts";

let made = 0;
/** Of a long name the beginning: three bytes a letter, and what is added, fit into the 255 that a name may have. */
const KEPT_LENGTH = 64;

/**
 * A name beside `file` that no other call of any process has used: pid, time and a count. It need not be a secret: the
 * file is created exclusively and never through a link. (node:crypto would cost a process that only lists 8 ms.)
 */
export function tempName(file: string): string {
  const unique = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}-${(made++).toString(36)}`;
  return path.join(path.dirname(file), `.${beginningOf(path.basename(file), KEPT_LENGTH)}.${unique}.tmp`);
}
