import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/route-shapes.ts";
import type { ServerEvents } from "../../../src/doors/server/api/index.ts";
import { onEvent } from "../../live/event-bus.ts";
import { watchConversation } from "../../live/watches.ts";

export type Header = Answer<"GET /api/sessions/{id}">;
export type Row = Answer<"GET /api/sessions/{id}/rows">["rows"][number];
export type Item = Row["items"][number];

export interface Transcript {
  id: string;
  project?: string | undefined;
  agent?: string | undefined;
  view: "whole" | "context";
  leaf?: string | undefined;
}

export const PAGE_ROWS = 100;
const PAGES_MAX = 40;

/** The rows of one conversation that are in sight or near, and what comes to it meanwhile. */
export class RowStore {
  readonly transcript: Transcript;
  total: number;
  generation: string;
  /** The transcript is gone while it is open. */
  isGone = false;
  /** Everything before is void: the header has to be asked for again. */
  isVoid = false;
  readonly #pages = new Map<number, Row[]>();
  readonly #asked = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #ends: (() => void)[];
  readonly #onChange: () => void;

  constructor(transcript: Transcript, header: Header, onChange: () => void) {
    this.transcript = transcript;
    this.total = header.rows;
    this.generation = header.generation;
    this.#onChange = onChange;
    const { id: session, project, agent, view, leaf } = transcript;
    this.#ends = [
      onEvent("rows", (told) => this.#isMine(told) && told.view === view && this.#take(told)),
      onEvent("rows-gone", (told) => {
        if (!this.#isMine(told)) return;
        this.isGone = true;
        onChange();
      }),
      watchConversation(() => ({
        session,
        ...(project !== undefined && { project }),
        ...(agent !== undefined && { agent }),
        view,
        ...(leaf !== undefined && { leaf }),
        generation: this.generation,
        total: this.total,
      })),
    ];
  }

  close(): void {
    this.#stop.abort();
    for (const end of this.#ends) end();
  }

  rowAt(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  pageOf(index: number): readonly Row[] | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS));
  }

  async show(from: number, to: number): Promise<void> {
    const wanted: Promise<void>[] = [];
    for (
      let page = Math.floor(from / PAGE_ROWS);
      page <= Math.floor(Math.max(from, to - 1) / PAGE_ROWS);
      page++
    )
      wanted.push(this.#load(page));
    await Promise.all(wanted);
  }

  /** The number of the row that holds a message; undefined when it is in none of them. */
  async findRow(uuid: string): Promise<number | undefined> {
    const { rows } = await this.#read({ around: uuid, limit: 3 });
    return rows.find((row) => row.uuid === uuid)?.row ?? rows[Math.floor(rows.length / 2)]?.row ?? undefined;
  }

  #isMine({
    session,
    project,
    agent,
  }: {
    session: string;
    project: string | null;
    agent: string | null;
  }): boolean {
    const { id, project: wanted, agent: of } = this.transcript;
    return (
      session === id &&
      agent === (of ?? null) &&
      (project === null || wanted === undefined || project === wanted)
    );
  }

  #load(page: number): Promise<void> {
    const known = this.#asked.get(page);
    if (known) return known;
    const asked = this.#readPage(page);
    this.#asked.set(page, asked);
    return asked;
  }

  async #readPage(page: number): Promise<void> {
    try {
      const { rows } = await this.#read({ from: page * PAGE_ROWS, limit: PAGE_ROWS });
      this.#pages.set(page, rows);
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= PAGES_MAX) break;
        this.#pages.delete(oldest);
        this.#asked.delete(oldest);
      }
      this.#onChange();
    } catch (error) {
      this.#asked.delete(page);
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  async #read(wanted: {
    from?: number;
    around?: string;
    limit: number;
  }): Promise<Answer<"GET /api/sessions/{id}/rows">> {
    const { id, project, agent, view, leaf } = this.transcript;
    const answer = await ask(
      "GET /api/sessions/{id}/rows",
      { path: { id }, query: { project, agent, view, leaf, ...wanted } },
      { signal: this.#stop.signal },
    );
    if (answer.generation !== null && answer.generation !== this.generation) this.#setVoid();
    else if (answer.total !== null && answer.total > this.total) this.total = answer.total;
    return answer;
  }

  #take({ generation, total, rows }: ServerEvents["rows"]): void {
    if (generation !== this.generation) {
      this.#setVoid();
      return;
    }
    for (const row of rows) {
      if (row.row === null) continue;
      this.#keep(row, row.row);
    }
    this.total = Math.max(total, 0);
    this.#onChange();
  }

  // Into its page, if that is here; a page of which the first row came is here from then on.
  #keep(row: Row, number: number): void {
    const [page, at] = [Math.floor(number / PAGE_ROWS), number % PAGE_ROWS];
    const kept = this.#pages.get(page) ?? (at === 0 ? [] : undefined);
    if (!kept || at > kept.length) {
      this.#asked.delete(page);
      return;
    }
    this.#pages.set(page, at === kept.length ? [...kept, row] : kept.with(at, row));
    this.#asked.set(page, this.#asked.get(page) ?? Promise.resolve());
  }

  #setVoid(): void {
    this.isVoid = true;
    this.#onChange();
  }
}
