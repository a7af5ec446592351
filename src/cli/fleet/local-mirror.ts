import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { TranscriptEntry } from "../../fleet/log-event.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { readJson } from "../../lib/read-json.ts";
import { openTranscriptWriter, type TranscriptWriter } from "../../store/transcript-writer.ts";
import { scanUuids } from "./scan-uuids.ts";
import type { TaskFiles } from "../../tasks/task-files.ts";
import type { TaskRecord } from "../../tasks/task-record.ts";

/**
 * The transcript of a remote run on this machine: each entry of the log once, in order. Where it is, is written down after
 * the entries, so a follower that died may have written more than it says; an entry is known by its uuid.
 */
export class LocalMirror {
  readonly #writer: TranscriptWriter;
  readonly #place: string;
  readonly #cwd: string;
  readonly #known: Set<string>;
  #sequence: number;

  private constructor(
    writer: TranscriptWriter,
    { place, cwd, known, sequence }: { place: string; cwd: string; known: Set<string>; sequence: number },
  ) {
    this.#writer = writer;
    this.#place = place;
    this.#cwd = cwd;
    this.#known = known;
    this.#sequence = sequence;
  }

  /** Takes the lease of the transcript: while it runs elsewhere, nobody goes on with it here. */
  static async open(record: TaskRecord, files: TaskFiles): Promise<LocalMirror> {
    const { path: file, sessionId } = record.agent!.transcript;
    const home = path.resolve(path.dirname(files.base), "../../..");
    const writer = openTranscriptWriter({ file, sessionId, leaseDir: holdfastPaths(home).leasesDir });
    const place = `${files.base}.follow.json`;
    const kept = readJson(place) as { sequence?: number } | undefined;
    const known = await scanUuids(file);
    return new LocalMirror(writer, { place, cwd: record.cwd, known, sequence: kept?.sequence ?? 0 });
  }

  /** Up to where the log is mirrored. */
  get sequence(): number {
    return this.#sequence;
  }

  async append(entry: TranscriptEntry): Promise<void> {
    const { uuid } = entry;
    if (typeof uuid === "string" && this.#known.has(uuid)) return;
    // The worker's folder is not here; the folder that it was sent from is.
    await this.#writer.append({ ...entry, cwd: this.#cwd });
    if (typeof uuid === "string") this.#known.add(uuid);
  }

  reached(sequence: number): void {
    this.#sequence = sequence;
    writeFileAtomic(this.#place, `${JSON.stringify({ sequence })}\n`, { isDurable: false });
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }
}
