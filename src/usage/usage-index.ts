import type { AnyTranscript, TranscriptFolder } from "../store/list/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { CoveredFiles, isCurrent, type CoveredFile } from "../store/index/covered-files.ts";
import { FoundFiles } from "../store/index/found-files.ts";
import { DerivedIndex, type IndexOptions } from "../store/index/derived-index.ts";
import type { MessageUsage } from "../store/line/message-usage.ts";
import { unpackMessages } from "./packed-messages.ts";
import type { PriceOf } from "./prices/price.ts";
import type { CountedFile, ReadFile, StaleFile } from "./read-messages.ts";
import { sumCells, type UsageCell } from "./usage-cells.ts";
import { UsageTables } from "./usage-tables.ts";

/** How transcripts are related to what is kept. */
export interface Comparison {
  /** With bytes that are to be read. */
  stale: StaleFile[];
  /** Ids of files that are covered, but listed no more. */
  gone: number[];
  /** Whether the cells were made with the prices that hold. */
  isTrusted: boolean;
}

/** The transcripts, as they are when these are called. */
export interface ListedTranscripts {
  all(): AnyTranscript[];
  /** Those that are still there. */
  at(paths: ReadonlySet<string>): AnyTranscript[];
}

/** What is asked of the index: the cells of which transcripts, and whether those of each are kept apart. */
export interface CellQuery {
  transcripts: ListedTranscripts;
  ofFiles: boolean;
}

/** What is new since the index was looked at. */
export interface UsageChange extends CellQuery {
  read: readonly ReadFile[];
  gone: readonly number[];
  /** All other files, to make everything anew. Without them, the index finds those that share messages with what is new. */
  others?: readonly CountedFile[] | undefined;
  priceOf: PriceOf;
}

/**
 * What the index keeps of usage: the messages of each file, which file has which message, and sums in cells. They are
 * written together, so they always fit. A file that changes also changes the cells of files that share messages with it.
 */
export class UsageIndex {
  readonly #index: DerivedIndex;
  readonly #files: CoveredFiles;
  readonly #tables: UsageTables;
  readonly #prices: string;
  #lastWrite: unknown;

  /** `prices` says which ones hold. */
  constructor(indexDir: string, { prices, ...options }: IndexOptions & { prices: string }) {
    this.#index = new DerivedIndex(indexDir, options);
    this.#files = new CoveredFiles(this.#index, "usage");
    this.#tables = new UsageTables(this.#index);
    this.#prices = prices;
  }

  close(): void {
    this.#index.close();
  }

  /** Compares transcripts with what is kept. */
  look(folders: Iterable<TranscriptFolder>, { ofFiles }: Pick<CellQuery, "ofFiles">): Comparison {
    // The state comes first: what others write from now on is noticed before anything is written over it.
    const { prices, lastWrite } = this.#tables.readState();
    this.#lastWrite = lastWrite;
    const stale: StaleFile[] = [];
    const listed = new FoundFiles(this.#files);
    for (const { path: dir, transcripts } of folders) {
      // Who asks for the cells of files goes by the path in each row, so each row is compared.
      if (!ofFiles && listed.addFolder(dir, transcripts)) continue;
      const kept = this.#files.below(dir);
      for (const transcript of transcripts) {
        const known = kept.get(transcript.path);
        if (known) listed.add(known.id);
        if (known && isCurrent(known, transcript)) continue;
        stale.push((known && this.#grown(transcript, known)) ?? { transcript, from: 0, messages: [] });
      }
    }
    const gone = listed.areAll() ? [] : this.#files.othersThan(listed.ids);
    return { stale, gone, isTrusted: prices === this.#prices };
  }

  /** The cells that are kept; undefined when they are not those that were written, or not those of the transcripts. */
  cells({ transcripts, ofFiles }: CellQuery): UsageCell[] | undefined {
    const cells = this.#tables.readCells({ ofFiles });
    if (!ofFiles || !cells) return cells;
    const byPath = new Map<unknown, AnyTranscript>(transcripts.all().map((each) => [each.path, each]));
    for (const cell of cells) cell.transcript = byPath.get(cell.path);
    return cells.every(({ transcript }) => transcript) ? cells : undefined;
  }

  /** The messages of a transcript that is covered; undefined when what is kept of it is of no use. */
  messagesOf({ path }: AnyTranscript): MessageUsage[] | undefined {
    const known = this.#files.find(path);
    return known && unpackMessages(path, this.#files.dataOf(known.id));
  }

  /**
   * Keeps what is new, and returns the cells as they are then. Undefined when another process has written since the look,
   * or the messages of a file are damaged.
   */
  update(change: UsageChange): UsageCell[] | undefined {
    let cells: UsageCell[] | undefined;
    try {
      this.#index.write(() => {
        if (this.#tables.begin() !== this.#lastWrite) return;
        this.#keep(change);
        cells = this.cells(change);
      });
    } catch (error) {
      if (!(error instanceof DamagedMessages)) throw error;
    }
    return cells;
  }

  #grown(transcript: AnyTranscript, known: CoveredFile): StaleFile | undefined {
    if (isPacked(transcript.path) || this.#files.stateOf(transcript, known) !== "grown") return undefined;
    const from = this.#files.coverageOf(known.id)!.to;
    const messages = this.messagesOf(transcript);
    // Another process may have covered more than this one saw when it listed the files.
    return messages && from <= transcript.bytes ? { transcript, from, messages } : undefined;
  }

  #keep({ transcripts, read, gone, others, priceOf }: UsageChange): void {
    if (others) this.#tables.clear();
    const ids = new Map<string, number>();
    for (const { transcript, coverage, messages, packed } of read) {
      const id = this.#files.cover(transcript.path, coverage);
      ids.set(transcript.path, id);
      this.#files.keep(id, packed);
      this.#tables.addKeys(id, messages);
    }
    const relatives = others ?? this.#relatives(transcripts, [...ids.values(), ...gone]);
    for (const { transcript, messages } of relatives) {
      const { id } = this.#files.find(transcript.path)!;
      ids.set(transcript.path, id);
      if (others) this.#tables.addKeys(id, messages);
    }
    for (const id of gone) {
      this.#files.forget(id);
      this.#tables.forgetKeys(id);
    }
    this.#tables.removeCells([...ids.values(), ...gone]);
    this.#tables.addCells(sumCells([...read, ...relatives], { priceOf }), ids);
    this.#lastWrite = this.#tables.writeState(this.#prices);
  }

  /** The other files that share messages with those that were read or are gone, and so on. */
  #relatives(transcripts: ListedTranscripts, changed: readonly number[]): CountedFile[] {
    const paths = this.#tables.relativesOf(changed);
    const relatives = transcripts.at(paths);
    if (relatives.length < paths.size) throw new DamagedMessages("a file is not where its row says");
    return relatives.map((transcript) => {
      const messages = this.messagesOf(transcript);
      if (!messages) throw new DamagedMessages(transcript.path);
      return { transcript, messages };
    });
  }
}

/** Rolls a write back: the kept messages of a file are of no use. */
class DamagedMessages extends Error {}
