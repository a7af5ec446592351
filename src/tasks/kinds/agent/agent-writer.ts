import fs from "node:fs";
import type { Entry } from "../../../format/index.ts";
import { tempName } from "../../../lib/temp-name.ts";
import { readConversation } from "../../../store/conversation.ts";
import type { EntryDraft, SessionWriter } from "../../../store/session-writer.ts";
import { streamEntries } from "../../../store/stream-entries.ts";
import type { TaskFiles } from "../../task-files.ts";
import type { AgentTranscript } from "./agent-settings.ts";
import { copyMeta, openTranscript, removeTranscript, type TranscriptPlace } from "./agent-transcript.ts";

/** The writer of an agent's transcript, which holds its lease and can take it to another session while the agent runs. */
export class AgentWriter {
  readonly #place: TranscriptPlace;
  readonly #cwd: string;
  #transcript: AgentTranscript;
  #writer: SessionWriter;
  // Appends and moves go one after the other.
  #last: Promise<unknown> = Promise.resolve();

  private constructor(place: TranscriptPlace, { transcript, cwd, writer }: OpenedTranscript) {
    this.#place = place;
    this.#cwd = cwd;
    this.#transcript = transcript;
    this.#writer = writer;
  }

  static async open(
    place: TranscriptPlace,
    { transcript, cwd }: { transcript: AgentTranscript; cwd: string },
  ): Promise<AgentWriter> {
    const writer = await openTranscript(place, { transcript, cwd, durability: "flush" });
    return new AgentWriter(place, { transcript, cwd, writer });
  }

  get transcript(): AgentTranscript {
    return this.#transcript;
  }

  append(draft: EntryDraft): Promise<string> {
    return this.#inOrder(() => this.#writer.append(draft));
  }

  /** What a resume would give the model. */
  readEntries(): Promise<Entry[]> {
    return readContext(this.#transcript);
  }

  /**
   * Goes on in a transcript of another session: everything is copied, then the task's link shows there, then the old file
   * goes. Whoever dies in between leaves the old one whole.
   */
  moveTo(transcript: AgentTranscript, { output }: TaskFiles): Promise<void> {
    return this.#inOrder(async () => {
      if (transcript.path === this.#transcript.path) return;
      const [from, old] = [this.#transcript, this.#writer];
      const writer = await openTranscript(this.#place, { transcript, cwd: this.#cwd, durability: "flush" });
      try {
        for await (const line of streamEntries(from.path))
          if (line.kind === "entry") await writer.append(draftOf(line.entry));
        copyMeta(from, transcript);
        linkAnew(output, transcript.path);
      } catch (error) {
        await writer.close();
        removeTranscript(transcript);
        throw error;
      }
      this.#transcript = transcript;
      this.#writer = writer;
      await old.close();
      removeTranscript(from);
    });
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#writer.close();
  }

  #inOrder<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** The conversation of an agent as a resume would give it to the model. */
export async function readContext({ path: file }: AgentTranscript): Promise<Entry[]> {
  return (await readConversation(file, { mode: "context" })).entries;
}

interface OpenedTranscript {
  transcript: AgentTranscript;
  cwd: string;
  writer: SessionWriter;
}

// Keeps its uuid, its place and its time; the writer says whose it is now.
function draftOf(entry: Entry): EntryDraft {
  return { ...(entry as EntryDraft) };
}

// In one step: a reader finds the old target or the new one.
function linkAnew(link: string, target: string): void {
  const temp = tempName(link);
  fs.symlinkSync(target, temp);
  fs.renameSync(temp, link);
}
