import fs from "node:fs";
import path from "node:path";
import { holdfastPaths, isSafeName } from "../format/paths.ts";
import { namesIn } from "../lib/names-in.ts";
import { recoveredAgeMsMax } from "./limits.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lastLines, readOutputEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

// Whole or nothing: it is written by one write, and not synced.
const WHOLE = /^(\d{1,3}) (\/[^\n]*)\n$/;

/** How a client's command ended, as its own shell wrote it down because the client was gone; undefined when it did not. */
export function lookAtClientEnding(home: string, { agent_id: id, timestamp }: LaunchLine): Look | undefined {
  if (!isSafeName(id)) return undefined;
  const written = readOutputEnd(holdfastPaths(home).clientEndingPath(id));
  const [, code, output] = WHOLE.exec(written?.text ?? "") ?? [];
  if (written === undefined || output === undefined || written.writtenAt < timestamp) return undefined;
  const exitCode = Number(code);
  // The client keeps the outputs of a cleared session where they were; the shell knew its own.
  const end = readOutputEnd(output);
  const printed = end && lastLines(end.text);
  return {
    status: exitCode === 0 ? "completed" : "failed",
    exitCode,
    endedAt: written.writtenAt,
    ...(printed !== undefined && { result: printed }),
    knownBy: ["its own shell"],
  };
}

/** Removes those that are too old to be news. */
export function tidyClientEndings(home: string, { now }: { now: Date }): void {
  const { clientEndingsDir } = holdfastPaths(home);
  for (const name of namesIn(clientEndingsDir)) {
    const file = path.join(clientEndingsDir, name);
    const writtenAtMs = fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    if (now.getTime() - writtenAtMs > recoveredAgeMsMax) fs.rmSync(file, { force: true });
  }
}
