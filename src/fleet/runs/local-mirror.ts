import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { TranscriptEntry } from "../transport/log-event.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { readJson } from "../../lib/read-json.ts";
import { openTranscriptWriter } from "../../store/write/transcript-writer.ts";
import { scanUuids } from "./scan-uuids.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";

/**
 * The transcript of a remote run on this machine: each entry of the log once, in order. Where it is, is written down after
 * the entries, so a follower that died may have written more than it says; an entry is known by its uuid.
 */
export interface LocalMirror {
  /** Up to where the log was mirrored when this was opened. */
  after: number;
  append(entry: TranscriptEntry): Promise<void>;
  reached(sequence: number): void;
  close(): Promise<void>;
}

/** Takes the lease of the transcript: while it runs elsewhere, nobody goes on with it here. */
export async function openLocalMirror(record: TaskRecord, files: TaskFiles): Promise<LocalMirror> {
  const { path: file, sessionId } = record.agent!.transcript;
  const home = path.resolve(path.dirname(files.base), "../../..");
  const writer = openTranscriptWriter({ file, sessionId, leaseDir: holdfastPaths(home).leasesDir });
  const place = `${files.base}.follow.json`;
  const kept = readJson(place) as { sequence?: number } | undefined;
  const known = await scanUuids(file);
  return {
    after: kept?.sequence ?? 0,
    async append(entry) {
      const { uuid } = entry;
      if (typeof uuid === "string" && known.has(uuid)) return;
      // The worker's folder is not here; the folder that it was sent from is.
      await writer.append({ ...entry, cwd: record.cwd });
      if (typeof uuid === "string") known.add(uuid);
    },
    reached: (sequence) => writeFileAtomic(place, `${JSON.stringify({ sequence })}\n`, { isDurable: false }),
    close: () => writer.close(),
  };
}
