import fs from "node:fs";
import path from "node:path";
import type { Entry } from "../../format/index.ts";
import type { FleetConnection } from "../../fleet/connection.ts";
import type { ClaimedRun } from "../../fleet/handle-run.ts";
import { entryOf } from "../../fleet/large-entries.ts";
import { fetchObject } from "../../fleet/objects.ts";
import type { StoredObject } from "../../fleet/run-request.ts";
import { systemClock } from "../../lib/clock.ts";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import { readConversation } from "../../store/conversation.ts";
import { newestUuid, withEnvelope, type EntryDraft } from "../../store/session-writer.ts";
import type { RunnerMessage } from "../../tasks/ports.ts";
import { scanUuids } from "./scan-uuids.ts";

/**
 * The transcript of a run on a worker: the log is the truth, a file beside it is what the readers of transcripts read. An
 * entry is in the log before it is in the file.
 */
export class RunTranscript {
  readonly #file: string;
  readonly #run: ClaimedRun;
  readonly #cwd: string;
  readonly #uuids: Set<string>;
  #leaf: string | null;

  private constructor({ file, run, cwd, uuids, leaf }: OpenedTranscript) {
    this.#file = file;
    this.#run = run;
    this.#cwd = cwd;
    this.#uuids = uuids;
    this.#leaf = leaf;
  }

  /** Writes down what the session has said so far: before it came to the fleet, and since. */
  static async open(
    { connection, dir, cwd }: { connection: FleetConnection; dir: string; cwd: string },
    run: ClaimedRun,
  ): Promise<RunTranscript> {
    const file = path.join(dir, "transcript.jsonl");
    const base = await baseOf(run);
    if (base) await fetchObject(connection, base, { file, signal: run.signal });
    // A session that was sent away a second time brings along what it said the first time.
    const uuids = await scanUuids(file);
    for (const { event } of run.events) {
      const entry = await entryOf(connection, event, { tempDir: dir });
      if (!entry || uuids.has(String(entry["uuid"]))) continue;
      await appendLine(file, entry);
      uuids.add(String(entry["uuid"]));
    }
    return new RunTranscript({ file, run, cwd, uuids, leaf: await newestUuid(file) });
  }

  /** Whether the log has an entry of this id: a message that came twice is recorded once. */
  has(uuid: string): boolean {
    return this.#uuids.has(uuid);
  }

  async append(draft: EntryDraft): Promise<string> {
    const { sessionId } = this.#run.request;
    const entry = withEnvelope(draft, { leaf: this.#leaf, clock: systemClock, cwd: this.#cwd, sessionId });
    this.#leaf = entry.uuid;
    await this.#run.append({ kind: "entry", entry });
    this.#uuids.add(entry.uuid);
    await appendLine(this.#file, entry);
    return entry.uuid;
  }

  /** What a resume would give the model. */
  async readEntries(): Promise<Entry[]> {
    if (!fs.existsSync(this.#file)) return [];
    return (await readConversation(this.#file, { mode: "context" })).entries;
  }

  async readMessages(): Promise<RunnerMessage[]> {
    return toAnthropicMessages(await this.readEntries());
  }
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

interface OpenedTranscript {
  file: string;
  run: ClaimedRun;
  cwd: string;
  uuids: Set<string>;
  leaf: string | null;
}
