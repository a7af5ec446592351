import fs from "node:fs";
import { eachProjectFolder, type TranscriptFile } from "../../store/list/transcript-files.ts";
import type { HealthCheck } from "../health-check.ts";
import { emptySessionAgeMsMin, emptySessionBytesMax } from "./limits.ts";

/** Transcripts in which nothing was ever written: a client that was ended at once leaves such. */
export const emptySessions: HealthCheck = {
  name: "empty-sessions",
  group: "sessions",
  run({ configDir, clock }) {
    const before = clock.now().getTime() - emptySessionAgeMsMin;
    const empty = [...eachProjectFolder(configDir)]
      .flatMap(({ sessions }) => sessions)
      .filter((file) => file.mtimeMs < before && isEmpty(file));
    if (empty.length === 0) return { status: "ok", summary: "no session is empty" };
    return {
      status: "warn",
      summary: `${empty.length} ${empty.length === 1 ? "session is" : "sessions are"} empty`,
      findings: empty.map(({ sessionId, path }) => ({ text: `nothing in ${sessionId}`, path, sessionId })),
      suggestion: { verb: "doctor", options: { repair: true } },
      repairs: empty.map((file) => ({
        path: file.path,
        text: "move an empty session into the backup",
        run: (backup) => {
          // Somebody may have begun to write meanwhile.
          if (isEmpty(file)) backup.take(file.path, { kind: "empty-session", what: file.sessionId });
        },
      })),
    };
  },
};

function isEmpty({ path, bytes }: TranscriptFile): boolean {
  if (bytes > emptySessionBytesMax) return false;
  try {
    return fs.readFileSync(path, "utf8").trim() === "";
  } catch {
    // Gone, or not ours to read.
    return false;
  }
}
