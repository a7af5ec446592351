import fs from "node:fs";
import { tempName } from "./temp-name.ts";

/**
 * Replaces a file whole, so that a reader sees the old one or the new one. Deliberately not durable: after a power
 * failure it may be either, or gone. For what is written often and can be lost.
 */
export function replaceFile(file: string, data: string): void {
  const temp = tempName(file);
  try {
    fs.writeFileSync(temp, data, { flag: "wx", mode: 0o600 });
    fs.renameSync(temp, file);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw error;
  }
}
