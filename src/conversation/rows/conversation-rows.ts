import type { Entry } from "../../format/entries/entry.ts";
import { uuidOf } from "../../format/entry-kinds.ts";
import { hashText, type LineTable } from "../../store/line/line-table.ts";
import { readTableLine } from "../../store/line/read-line.ts";
import type { FoundConversation } from "../../store/read/find-conversation.ts";
import { retractedUuids } from "../../store/read/retracted-uuids.ts";
import { extendRows } from "./extend-rows.ts";
import { sameMessageRowsMax } from "./limits.ts";
import { makeRow, type Answers, type PlacedEntry, type RowContext } from "./make-row.ts";
import type { RowAddress } from "./row-address.ts";
import { placeRows, type RowPlaces } from "./row-places.ts";
import type { Row } from "./row.ts";

export interface RowsSource {
  found: FoundConversation;
  fd: number;
  /** What the transcript lacks, as it will stand behind its end. */
  owed: readonly Entry[];
  /** Where the rows are, and what was taken back, where that is known. */
  places?: RowPlaces;
  retracted?: ReadonlySet<string>;
}

/** The rows of a conversation at one moment. Holds where they are; what they show is read when it is asked for. */
export class ConversationRows implements Answers {
  readonly table: LineTable;
  readonly fd: number;
  readonly found: FoundConversation;
  readonly places: RowPlaces;
  readonly retracted: ReadonlySet<string>;
  readonly #owed: readonly Entry[];
  /** Lines of the table that were there then, and finished. */
  readonly #lines: number;

  constructor({ found, fd, owed, places, retracted }: RowsSource) {
    this.found = found;
    this.table = found.table;
    this.fd = fd;
    this.places = places ?? placeRows(found.table, found.walk.lines);
    this.retracted = retracted ?? retractedUuids(found.table, fd);
    this.#owed = owed.filter((entry) => !isAnswerOnly(entry, owed));
    this.#lines = found.table.finished;
  }

  /** The rows with what the table has by now; undefined when they have to be found anew. */
  extended(): ConversationRows | undefined {
    const { fd, retracted } = this;
    const more = this.#owed.length > 0 ? undefined : extendRows(this, this.#lines);
    return more && new ConversationRows({ ...more, fd, owed: [], retracted });
  }

  /** How many there are. */
  get total(): number {
    return this.places.lines.length + this.#owed.length;
  }

  /** The entry of a row; undefined when its line is none by now. */
  entryOf(row: number): PlacedEntry | undefined {
    const line = this.places.lines[row];
    if (line !== undefined) return this.entryAt(line);
    const entry = this.#owed[row - this.places.lines.length];
    return entry && { entry, offset: null };
  }

  entryAt(line: number): PlacedEntry | undefined {
    const read = readTableLine(this.table, this.fd, line);
    return read.ok ? { entry: read.entry, offset: this.table.offset[line]! } : undefined;
  }

  /** The line that begins at an offset. */
  lineAt(offset: number): number | undefined {
    const { table } = this;
    let low = 0;
    let high = table.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (table.offset[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low < table.count && table.offset[low] === offset ? low : undefined;
  }

  /** An entry that the transcript lacks. */
  owedEntry(uuid: string): Entry | undefined {
    return this.#owed.find((entry) => uuidOf(entry) === uuid);
  }

  /** What a page shows of a row. `number` is what the page calls it. */
  read(row: number, address: RowAddress, number: number | null = row): Row {
    const placed = this.entryOf(row);
    const context: RowContext = { answers: this, address, retracted: this.retracted };
    // A line that the skimmer took for an entry and the parser does not: it is among the rejections.
    if (!placed) return { row: number, uuid: null, offset: this.#offsetOf(row), items: [] };
    return makeRow(placed, number, context);
  }

  /** The row that an entry is in; undefined when it is not in the conversation. */
  rowOfUuid(uuid: string): number | undefined {
    const line = this.table.findByUuid(hashText(uuid));
    const copies = line === undefined ? [] : [line, ...this.table.copiesOf(line)];
    const row = copies.map((copy) => this.places.rowOf[copy]!).find((each) => each >= 0);
    if (row !== undefined) return row;
    const owed = this.#owed.findIndex((entry) => uuidOf(entry) === uuid);
    return owed < 0 ? undefined : this.places.lines.length + owed;
  }

  /** The uuid of the entry that calls a tool, on whatever branch. */
  uuidOfCall(toolUseId: string): string | undefined {
    const { table } = this;
    const id = hashText(toolUseId);
    for (let tool = table.toolCount - 1; tool >= 0; tool--) {
      if (table.toolId[tool] !== id || table.toolIsResult[tool] === 1) continue;
      const placed = this.entryAt(table.toolLine[tool]!);
      if (placed && calls(placed.entry, toolUseId)) return uuidOf(placed.entry);
    }
    return undefined;
  }

  /** The uuid that ends the conversation. */
  get leaf(): string | undefined {
    const last = this.#owed.at(-1);
    if (last) return uuidOf(last);
    const line = this.found.walk.path.at(-1);
    const placed = line === undefined ? undefined : this.entryAt(line);
    return placed && uuidOf(placed.entry);
  }

  find(toolUseId: string, call: PlacedEntry): PlacedEntry | undefined {
    const line = this.places.resultLine.get(hashText(toolUseId));
    if (line !== undefined) return this.entryAt(line);
    return call.offset === null ? this.#owedAnswer(toolUseId) : this.#inSameMessage(toolUseId, call);
  }

  isShownElsewhere(toolUseId: string, at: PlacedEntry): boolean {
    if (at.offset === null) return this.#owed.some((entry) => calls(entry, toolUseId));
    const line = this.places.resultLine.get(hashText(toolUseId));
    if (line !== undefined && this.table.offset[line] === at.offset) return true;
    return this.#messageRows(at).some((placed) => calls(placed.entry, toolUseId));
  }

  #offsetOf(row: number): number | null {
    const line = this.places.lines[row];
    return line === undefined ? null : this.table.offset[line]!;
  }

  #owedAnswer(toolUseId: string): PlacedEntry | undefined {
    const entry = this.#owed.find((each) => answers(each, toolUseId));
    return entry && { entry, offset: null };
  }

  // Tools that run on the server have their results in the model's own message, a line or two behind the call.
  #inSameMessage(toolUseId: string, call: PlacedEntry): PlacedEntry | undefined {
    return this.#messageRows(call).find((placed) => answers(placed.entry, toolUseId));
  }

  #messageRows({ entry, offset }: PlacedEntry): PlacedEntry[] {
    const id = (entry as { message?: { id?: unknown } }).message?.id;
    const row = entry.type === "assistant" ? this.rowOfUuid(uuidOf(entry) ?? "") : undefined;
    if (typeof id !== "string" || row === undefined) return [{ entry, offset }];
    const message = hashText(id);
    const { lines } = this.places;
    const near = lines.subarray(Math.max(0, row - sameMessageRowsMax), row + sameMessageRowsMax + 1);
    return [...near].flatMap((line) =>
      this.table.message[line] === message && this.table.kindOf(line) === "assistant"
        ? (this.entryAt(line) ?? [])
        : [],
    );
  }
}

interface AnyBlock {
  type?: unknown;
  id?: unknown;
  tool_use_id?: unknown;
}

function blocks(entry: Entry): AnyBlock[] {
  const content = (entry as { message?: { content?: unknown } }).message?.content;
  return Array.isArray(content) ? content.filter((block) => typeof block === "object" && block !== null) : [];
}

function calls(entry: Entry, toolUseId: string): boolean {
  return blocks(entry).some(({ type, id }) => id === toolUseId && String(type).endsWith("tool_use"));
}

function answers(entry: Entry, toolUseId: string): boolean {
  return blocks(entry).some((block) => block.tool_use_id === toolUseId);
}

// Among what is owed only whole answers are told apart: there are few entries.
function isAnswerOnly(entry: Entry, owed: readonly Entry[]): boolean {
  const all = blocks(entry);
  return (
    entry.type === "user" &&
    all.length > 0 &&
    all.every(({ tool_use_id: id }) => typeof id === "string" && owed.some((other) => calls(other, id)))
  );
}
