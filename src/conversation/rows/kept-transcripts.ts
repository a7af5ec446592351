import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/entries/entry.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import { findInTable } from "../../store/read/find-conversation.ts";
import { findUuid } from "../../store/read/find-uuid.ts";
import { GrowingTable } from "../../store/read/growing-table.ts";
import { uuidOf } from "../../format/entry-kinds.ts";
import { entryNotFound } from "../../store/errors.ts";
import { ConversationRows } from "./conversation-rows.ts";
import { keptBranchesMax, keptLinesMax, keptTranscriptsMax } from "./limits.ts";

/** Which conversation of a transcript: all of it or what the model still knows, on which branch. */
export interface RowsQuery {
  session: SessionRef;
  /** The transcript is that of a sub-agent: nothing is owed to it. */
  isAgent: boolean;
  view: "whole" | "context";
  leaf: string | undefined;
}

export interface RowsNow {
  rows: ConversationRows;
  /** Rows keep their numbers while it stays the same. */
  generation: string;
}

export interface HeldRows extends RowsNow {
  /** Harmless when it was done before. */
  release(): void;
}

/** What a session lacks at its end. */
export type ReadOwed = (session: SessionRef) => Promise<Entry[]>;

/**
 * Transcripts that were asked for lately, with their line tables and rows: asked again, only what was appended since is read.
 * The least used is let go when there are too many.
 */
export class KeptTranscripts {
  readonly #kept = new Map<string, KeptTranscript>();
  readonly #readOwed: ReadOwed;

  constructor(readOwed: ReadOwed) {
    this.#readOwed = readOwed;
  }

  /** The rows as they are now. They stay readable until they are released, whatever becomes of the file. */
  async hold(query: RowsQuery): Promise<HeldRows> {
    const kept = this.#take(query.session.path);
    try {
      return await kept.hold(query);
    } finally {
      this.#letGo();
    }
  }

  /** The same for as long as `use` takes. */
  async using<Result>(query: RowsQuery, use: (now: RowsNow) => Result | Promise<Result>): Promise<Result> {
    const held = await this.hold(query);
    try {
      return await use(held);
    } finally {
      held.release();
    }
  }

  close(): void {
    for (const kept of this.#kept.values()) kept.close();
    this.#kept.clear();
  }

  #take(path: string): KeptTranscript {
    const kept = this.#kept.get(path) ?? new KeptTranscript(path, this.#readOwed);
    // The newest stands last.
    this.#kept.delete(path);
    this.#kept.set(path, kept);
    return kept;
  }

  #letGo(): void {
    for (const [path, kept] of this.#kept) {
      const lines = [...this.#kept.values()].reduce((sum, each) => sum + each.lines, 0);
      const isTooMuch = this.#kept.size > keptTranscriptsMax || (lines > keptLinesMax && this.#kept.size > 1);
      if (kept.isBroken || isTooMuch) {
        this.#kept.delete(path);
        kept.close();
      }
    }
  }
}

interface KeptRows extends RowsNow {
  /** Of the table and of what was owed when they were made. */
  state: string;
}

class KeptTranscript {
  readonly #path: string;
  readonly #readOwed: ReadOwed;
  readonly #rows = new Map<string, KeptRows>();
  #table: GrowingTable | undefined;
  // One look at the file at a time; readers wait for it.
  #looking: Promise<unknown> = Promise.resolve();
  #users = 0;
  #isClosing = false;
  #version = 0;
  isBroken = false;

  constructor(path: string, readOwed: ReadOwed) {
    this.#path = path;
    this.#readOwed = readOwed;
  }

  get lines(): number {
    return this.#table?.table.count ?? 0;
  }

  async hold(query: RowsQuery): Promise<HeldRows> {
    this.#users++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#users--;
      isHeld = false;
      if (this.#isClosing) this.close();
      else if (this.#users === 0) this.#table?.closeEarlier();
    };
    try {
      const { rows, generation } = await this.#look(query);
      return { rows, generation, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Closes the file once nobody reads it. */
  close(): void {
    this.#isClosing = true;
    if (this.#users > 0) return;
    this.#table?.close();
    this.#table = undefined;
  }

  async #look(query: RowsQuery): Promise<RowsNow> {
    const before = this.#looking;
    const look = before.then(() => this.#rowsOf(query));
    this.#looking = look.catch(() => {});
    return look;
  }

  async #rowsOf(query: RowsQuery): Promise<RowsNow> {
    const { view, session } = query;
    await this.#refresh();
    const leaf = query.leaf === undefined ? undefined : await findUuid(this.#path, query.leaf);
    const isJoined = leaf === undefined && !query.isAgent;
    const owed = isJoined ? await this.#readOwed(session) : [];
    const { table, fd } = this.#table!;
    const key = `${view} ${leaf ?? ""}`;
    const state = [this.#version, ...owed.map(uuidOf)].join(" ");
    const known = this.#rows.get(key);
    if (known?.state === state) return known;
    const extended = known && leaf === undefined && owed.length === 0 ? known.rows.extended() : undefined;
    if (extended) return this.#keep(key, { rows: extended, generation: known!.generation, state });
    const found = findInTable(table, fd, { mode: view === "context" ? "context" : "full", leaf });
    if (!found) throw entryNotFound(this.#path, leaf ?? "");
    const rows = new ConversationRows({ found, fd, owed });
    const isGrown = known !== undefined && begins(rows, known.rows);
    return this.#keep(key, { rows, generation: isGrown ? known.generation : randomUUID(), state });
  }

  #keep(key: string, now: KeptRows): RowsNow {
    this.#rows.delete(key);
    this.#rows.set(key, now);
    const [oldest = ""] = this.#rows.keys();
    if (this.#rows.size > keptBranchesMax) this.#rows.delete(oldest);
    return now;
  }

  async #refresh(): Promise<void> {
    try {
      if (!this.#table) this.#table = await GrowingTable.open(this.#path);
      else {
        const growth = await this.#table.refresh();
        if (growth !== "same") this.#version++;
        if (growth === "rewound") this.#rows.clear();
      }
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }
}

// Whether rows have the same numbers as before.
function begins({ places }: ConversationRows, { places: before }: ConversationRows): boolean {
  return (
    before.lines.length <= places.lines.length &&
    before.lines.every((line, row) => places.lines[row] === line)
  );
}
