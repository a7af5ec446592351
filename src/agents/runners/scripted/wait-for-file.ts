import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 20;

/** Resolves once the file is there; rejects when the signal comes. */
export async function waitForFile(
  file: string,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<void> {
  while (!fs.existsSync(path.resolve(cwd, file))) await setTimeout(POLL_MS, undefined, { signal });
}
