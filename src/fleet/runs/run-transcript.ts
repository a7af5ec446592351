import fs from "node:fs";
import path from "node:path";
import type { Entry } from "../../format/index.ts";
import type { FleetConnection } from "../transport/connection.ts";
import type { ClaimedRun } from "./handle-run.ts";
import { entryOf } from "../transport/large-entries.ts";
import { fetchObject } from "../transport/objects.ts";
import type { StoredObject } from "../transport/run-request.ts";
import { systemClock } from "../../lib/clock.ts";
import { readConversation } from "../../store/read/conversation.ts";
import { newestUuid, withEnvelope, type EntryDraft } from "../../store/write/session-writer.ts";
import { scanUuids } from "./scan-uuids.ts";

/**
 * The transcript of a run on a worker: the log is the truth, a file beside it is what the readers of transcripts read. An
 * entry is in the log before it is in the file.
 */
export interface RunTranscript {
  /** Whether the log has an entry of this id: a message that came twice is recorded once. */
  has(uuid: string): boolean;
  append(draft: EntryDraft): Promise<string>;
  /** What a resume would give the model. */
  readEntries(): Promise<Entry[]>;
}

/** Writes down what the session has said so far: before it came to the fleet, and since. */
export async function openRunTranscript(
  { connection, dir, cwd }: { connection: FleetConnection; dir: string; cwd: string },
  run: ClaimedRun,
): Promise<RunTranscript> {
  const file = path.join(dir, "transcript.jsonl");
  const base = await baseOf(run);
  if (base) await fetchObject(connection, base, { file, signal: run.signal });
  // A session that was sent away a second time brings along what it said the first time.
  const uuids = await scanUuids(file);
  for (const { event } of run.events) {
    const entry = await entryOf(connection, event);
    if (!entry || uuids.has(String(entry["uuid"]))) continue;
    await appendLine(file, entry);
    uuids.add(String(entry["uuid"]));
  }
  let leaf = await newestUuid(file);
  return {
    has: (uuid) => uuids.has(uuid),
    async append(draft) {
      const { sessionId } = run.request;
      const entry = withEnvelope(draft, { leaf, clock: systemClock, cwd, sessionId });
      leaf = entry.uuid;
      await run.append({ kind: "entry", entry });
      uuids.add(entry.uuid);
      await appendLine(file, entry);
      return entry.uuid;
    },
    async readEntries() {
      if (!fs.existsSync(file)) return [];
      return (await readConversation(file, { mode: "context" })).entries;
    },
  };
}

function appendLine(file: string, entry: object): Promise<void> {
  return fs.promises.appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

// What was said before the session came to the fleet is said in the log, too, for whoever reads it from there alone.
async function baseOf(run: ClaimedRun): Promise<StoredObject | undefined> {
  const { request, events } = run;
  const told = events.findLast(({ event }) => event.kind === "base")?.event;
  const known = told?.kind === "base" ? told : undefined;
  if (!request.base || known?.object === request.base.object) return known;
  await run.append({ kind: "base", ...request.base });
  return request.base;
}
