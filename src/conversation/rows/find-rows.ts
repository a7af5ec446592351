import { uuidOf } from "../../format/entry-kinds.ts";
import { runBounded, timeIsUp } from "../../lib/run-bounded.ts";
import { readLineBytes } from "../../store/line/read-line.ts";
import { conversationError } from "../errors.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import { snippetOf, textsOfEntry, type Snippet } from "./found-text.ts";
import { inTurns } from "./in-turns.ts";
import { foundProgressMs, foundRegexMsMax } from "./limits.ts";
import type { PlacedEntry } from "./make-row.ts";
import type { RowFound } from "./row.ts";

export interface FindQuery {
  q: string;
  isRegex?: boolean | undefined;
}

/**
 * Looks through a conversation, whatever is asked in capitals or not: each row that matches as it is found, and how far the
 * search is. The last line says that it is done, with the exact count. Throws `expression_invalid`.
 */
export async function* findRows(
  rows: ConversationRows,
  query: FindQuery,
  signal: AbortSignal,
): AsyncGenerator<RowFound> {
  const wanted = expressionOf(query);
  const mayMatch = bytesFilter(query);
  const totalRows = rows.total;
  const found = new Set<number>();
  let searchedRows = 0;
  let toldAt = performance.now();
  for await (const turn of inTurns(entriesOf(rows, mayMatch), signal)) {
    const matches = within(query, () =>
      turn.flatMap(({ row, placed }) => {
        const snippet = placed && !found.has(row) ? firstSnippet(placed, wanted) : undefined;
        if (snippet) found.add(row);
        return snippet ? { row, snippet } : [];
      }),
    );
    for (const { row, snippet } of matches) {
      const placed = rows.entryOf(row);
      const uuid = (placed && uuidOf(placed.entry)) ?? null;
      yield { kind: "found", row, uuid, ...snippet };
    }
    searchedRows = Math.max(searchedRows, ...turn.map(({ row }) => row + 1));
    if (performance.now() - toldAt < foundProgressMs) continue;
    toldAt = performance.now();
    yield { kind: "progress", searchedRows, totalRows, count: found.size };
  }
  yield { kind: "done", searchedRows: totalRows, totalRows, count: found.size };
}

interface SearchedEntry {
  row: number;
  /** Absent when the bytes of its line already say that nothing in it matches. */
  placed: PlacedEntry | undefined;
}

function* entriesOf(
  rows: ConversationRows,
  mayMatch: ((bytes: Buffer) => boolean) | undefined,
): Generator<SearchedEntry> {
  const { table, places, fd, found } = rows;
  for (const line of found.walk.lines) {
    const ref = { offset: table.offset[line]!, length: table.length[line]! };
    const bytes = mayMatch && readLineBytes(fd, ref);
    const isOut = mayMatch !== undefined && (bytes === undefined || !mayMatch(bytes));
    yield { row: places.rowOf[line]!, placed: isOut ? undefined : rows.entryAt(line) };
  }
  for (let row = places.lines.length; row < rows.total; row++) yield { row, placed: rows.entryOf(row) };
}

function firstSnippet({ entry }: PlacedEntry, wanted: RegExp): Snippet | undefined {
  for (const text of textsOfEntry(entry)) {
    const snippet = snippetOf(text, wanted);
    if (snippet) return snippet;
  }
  return undefined;
}

function expressionOf({ q, isRegex }: FindQuery): RegExp {
  if (!isRegex) return new RegExp(q.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
  try {
    return new RegExp(q, "giu");
  } catch (cause) {
    throw conversationError("expression_invalid", `Cannot find /${q}/: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function within<Result>({ q, isRegex }: FindQuery, work: () => Result): Result {
  if (!isRegex) return work();
  const result = runBounded(work, { ms: foundRegexMsMax });
  if (result !== timeIsUp) return result;
  throw conversationError(
    "expression_invalid",
    `Cannot find /${q}/: it took more than ${foundRegexMsMax / 1000} s for a few messages; write it so that it has fewer ways to match`,
  );
}

/**
 * Whether the bytes of a line may hold what is looked for; undefined when only its texts can tell. Printable ASCII stands in
 * JSON as it is, unless a writer spelled it.
 */
function bytesFilter({ q, isRegex }: FindQuery): ((bytes: Buffer) => boolean) | undefined {
  if (isRegex || !/^[\x20-\x7e]+$/.test(q) || /["\\/<>&']/.test(q)) return undefined;
  const lower = q.toLowerCase();
  return (bytes) => {
    const text = bytes.toString("latin1");
    return text.toLowerCase().includes(lower) || text.includes("\\u00");
  };
}
