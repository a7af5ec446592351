import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/entries/entry.ts";
import type { EntryDraft } from "../../store/index.ts";
import { linkResults } from "../host/link-results.ts";
import type { ChatSession } from "./chat-session.ts";

/**
 * Where what is said in a conversation goes: in front to its session, in the background only to its task. Brought back,
 * the session gets what it missed, and both get what follows. One thing after the other: nothing is written while the
 * conversation changes its place.
 */
export class ThreadRecord {
  readonly #session: ChatSession;
  readonly #show: (entry: Entry) => void;
  readonly #appendToSession: (draft: EntryDraft) => Promise<string>;
  #appendToTask: ((draft: EntryDraft) => Promise<string>) | undefined;
  /** Said in the background, and not in the session's transcript yet. */
  #missed: EntryDraft[] = [];
  #isInFront = true;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: ChatSession, show: (entry: Entry) => void) {
    this.#session = session;
    this.#show = show;
    this.#appendToSession = linkResults(async (draft) => {
      const entry = await session.append(draft);
      // What it missed was shown when it was said.
      if (this.#isInFront) show(entry);
      return (entry as { uuid: string }).uuid;
    });
  }

  get isInFront(): boolean {
    return this.#isInFront;
  }

  append(draft: EntryDraft): Promise<string> {
    return this.#inTurn(() => this.#write(draft));
  }

  /** Appends what a query begins with, as a whole. */
  begin(drafts: readonly EntryDraft[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const draft of drafts) await this.#write(draft);
    });
  }

  /** Waits for what is being written; nothing more is until the function that it gives is called. */
  hold(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#inTurn(() => new Promise<void>((release) => resolve(release)));
    });
  }

  /** From now on a task records it, too; undefined when it has ended. */
  attach(append: ((draft: EntryDraft) => Promise<string>) | undefined): void {
    this.#appendToTask = append;
  }

  leaveFront(): void {
    this.#isInFront = false;
  }

  comeToFront(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#catchUp();
      this.#isInFront = true;
    });
  }

  /** The session gets what it missed; it stays where it is. */
  comeToSession(): Promise<void> {
    return this.#inTurn(() => this.#catchUp());
  }

  /**
   * Nothing runs here any more: the session gets what it missed, and what other queries owe to it that have ended. Where
   * it cannot be written, that waits.
   */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#catchUp();
      for (const entry of await this.#session.settle()) this.#show(entry);
    });
  }

  async #catchUp(): Promise<void> {
    for (let draft = this.#missed[0]; draft; draft = this.#missed[0]) {
      await this.#appendToSession(draft);
      this.#missed.shift();
    }
  }

  // An entry has one uuid, in the task's transcript and in the session's: nobody appends it there twice.
  async #write({ uuid: sent, ...draft }: EntryDraft): Promise<string> {
    const uuid = await this.#appendToTask?.({ ...draft, ...(sent !== undefined && { uuid: sent }) });
    const same = uuid === undefined ? draft : { ...draft, uuid };
    if (this.#isInFront) return this.#appendToSession(same);
    this.#missed.push(same);
    this.#show({ ...same, uuid: uuid ?? randomUUID() } as Entry);
    return uuid ?? "";
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }
}
