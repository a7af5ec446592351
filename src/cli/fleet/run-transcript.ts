import fs from "node:fs";
import path from "node:path";
import type { Entry } from "../../format/index.ts";
import type { FleetConnection } from "../../fleet/connection.ts";
import type { ClaimedRun } from "../../fleet/handle-run.ts";
import { entryOf } from "../../fleet/large-entries.ts";
import { fetchObject } from "../../fleet/objects.ts";
import { systemClock } from "../../lib/clock.ts";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import { openConversation, readConversation } from "../../store/conversation.ts";
import { withEnvelope, type EntryDraft } from "../../store/session-writer.ts";
import type { RunnerMessage } from "../../tasks/ports.ts";

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
    fs.rmSync(file, { force: true });
    if (run.request.base) await fetchObject(connection, run.request.base, { file, signal: run.signal });
    const uuids = new Set<string>();
    for (const { event } of run.events) {
      const entry = await entryOf(connection, event, { tempDir: dir });
      if (!entry) continue;
      fs.appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
      if (typeof entry["uuid"] === "string") uuids.add(entry["uuid"]);
    }
    return new RunTranscript({ file, run, cwd, uuids, leaf: await leafOf(file) });
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
    fs.appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    return entry.uuid;
  }

  /** What a resume would give the model. */
  async readEntries(): Promise<Entry[]> {
    if (!fs.existsSync(this.#file)) return [];
    return (await readConversation(this.#file, { mode: "context" })).entries;
  }

  async readMessages(): Promise<RunnerMessage[]> {
    return toAnthropicMessages(await this.readEntries()).map(({ role, content }) => ({
      role,
      content: content.map((block) => ({ ...block })),
    }));
  }
}

async function leafOf(file: string): Promise<string | null> {
  if (!fs.existsSync(file) || fs.statSync(file).size === 0) return null;
  const conversation = await openConversation(file, { last: 1 });
  try {
    return conversation.leaf ?? null;
  } finally {
    conversation.close();
  }
}

interface OpenedTranscript {
  file: string;
  run: ClaimedRun;
  cwd: string;
  uuids: Set<string>;
  leaf: string | null;
}
