import fs from "node:fs";
import { holdfastPaths } from "../format/paths.ts";
import { tempName } from "../lib/temp-name.ts";
import { quietAfterMs, recoveredLaunchesMax } from "./limits.ts";
import { readManifest } from "./read-manifest.ts";
import type { RecoverOptions } from "./recover-options.ts";
import { historyTest } from "./history.ts";

/**
 * Notes that of what the manifest of a project has, nothing runs or waits to be told, so that a hook's shell need not start
 * Node to say nothing. The note is a file that is dated just after the manifest: a launch that is appended makes the
 * manifest newer and so ends the note, by that one write and whoever does it. Without a note Node is started.
 */
export function noteQuiet(key: string, { home, configDir, clock }: Omit<RecoverOptions, "projectDir">): void {
  const paths = holdfastPaths(home);
  const manifest = paths.projectManifestPath(key);
  const note = paths.quietNotePath(key);
  if (!fs.existsSync(paths.projectDir(key))) return;
  const draft = tempName(note);
  try {
    // What is appended from here on is at least as new as this: both times are the file system's.
    fs.closeSync(fs.openSync(draft, O_WRONLY | O_CREAT | O_EXCL, 0o600));
    fs.closeSync(fs.openSync(manifest, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
    const writtenAtMs = fs.statSync(manifest).mtimeMs;
    if (fs.statSync(draft).mtimeMs - writtenAtMs < quietAfterMs) return;
    if (isAnythingOpen(key, { home, configDir, clock })) return;
    // Some shells compare seconds.
    const datedSeconds = writtenAtMs / 1000 + 1;
    fs.utimesSync(draft, datedSeconds, datedSeconds);
    fs.renameSync(draft, note);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

// For a launch to be over for everybody it must be so for the session that launched it, which is told last.
function isAnythingOpen(key: string, { home, configDir, clock }: RecoverOptions): boolean {
  const tests = new Map<string, ReturnType<typeof historyTest>>();
  return readManifest(home, key)
    .slice(-recoveredLaunchesMax)
    .some((item) => {
      const sessionId = item.launch.session_id;
      const isHistory =
        tests.get(sessionId) ??
        historyTest({ home, configDir, clock, sessionId: sessionId === "" ? undefined : sessionId });
      tests.set(sessionId, isHistory);
      return !isHistory(item);
    });
}
