import fs from "node:fs";
import type { Entry } from "../../format/index.ts";
import { codeOf } from "../../lib/errors.ts";
import { tempName } from "../../lib/temp-name.ts";
import { readConversation } from "../../store/read/conversation.ts";
import type { EntryDraft, SessionWriter } from "../../store/write/session-writer.ts";
import { streamEntries } from "../../store/read/stream-entries.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { AgentTranscript } from "../../tasks/kinds/agent/agent-settings.ts";
import {
  copyMeta,
  openTranscript,
  removeTranscript,
  type TranscriptPlace,
} from "../launch/agent-transcript.ts";

/** The writer of an agent's transcript, which holds its lease and can take it to another session while the agent runs. */
export class AgentWriter {
  readonly #place: TranscriptPlace;
  readonly #cwd: string;
  #transcript: AgentTranscript;
  #writer: SessionWriter;
  // While it moves, appends wait for the new place.
  #moving: Promise<unknown> | undefined;

  private constructor(place: TranscriptPlace, { transcript, cwd }: OpenedAs, writer: SessionWriter) {
    this.#place = place;
    this.#cwd = cwd;
    this.#transcript = transcript;
    this.#writer = writer;
  }

  static async open(place: TranscriptPlace, as: OpenedAs): Promise<AgentWriter> {
    return new AgentWriter(place, as, await openTranscript(place, { ...as, durability: "flush" }));
  }

  /** Where it writes now. */
  get transcript(): AgentTranscript {
    return this.#transcript;
  }

  append(draft: EntryDraft): Promise<string> {
    return this.#moving ? this.#moving.then(() => this.append(draft)) : this.#writer.append(draft);
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
    const before = this.#moving;
    const move = async (): Promise<void> => {
      await before;
      await this.#move(transcript, output);
    };
    const moved = move();
    const settle = async (): Promise<void> => {
      // Whoever asked for the move is told of its failure; appends go on where they went before.
      await moved.catch(() => {});
      if (this.#moving === settled) this.#moving = undefined;
    };
    const settled = settle();
    this.#moving = settled;
    return moved;
  }

  /** Gives the lease up, with everything on the disk: the ending that is written next rests on it. */
  async close(): Promise<void> {
    await this.#moving;
    try {
      await syncFile(this.#transcript.path);
    } finally {
      await this.#writer.close();
    }
  }

  // What was appended before is in the old file: with durability `flush` it is written before this goes on.
  async #move(transcript: AgentTranscript, output: string): Promise<void> {
    if (transcript.path === this.#transcript.path) return;
    const [from, old] = [this.#transcript, this.#writer];
    const writer = await openTranscript(this.#place, { transcript, cwd: this.#cwd, durability: "flush" });
    try {
      for await (const line of streamEntries(from.path))
        // Keeps its uuid, its place and its time; the writer says whose it is now.
        if (line.kind === "entry") await writer.append({ ...(line.entry as EntryDraft) });
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
  }
}

/** The conversation of an agent as a resume would give it to the model. */
export async function readContext({ path: file }: AgentTranscript): Promise<Entry[]> {
  return (await readConversation(file, { mode: "context" })).entries;
}

// One that somebody removed meanwhile cannot be saved, and is no reason to lose the answer, too.
async function syncFile(path: string): Promise<void> {
  let file: fs.promises.FileHandle;
  try {
    file = await fs.promises.open(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

interface OpenedAs {
  transcript: AgentTranscript;
  cwd: string;
}

// In one step: a reader finds the old target or the new one.
function linkAnew(link: string, target: string): void {
  const temp = tempName(link);
  fs.symlinkSync(target, temp);
  fs.renameSync(temp, link);
}
