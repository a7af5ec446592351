import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { followCheckMs } from "../../store/limits.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import type { KeptTranscripts, RowsNow, RowsQuery } from "./kept-transcripts.ts";
import { windowRowsMax } from "./limits.ts";
import { changedRows } from "./read-window.ts";
import type { RowAddress } from "./row-address.ts";
import type { RowWindow } from "./row.ts";

/** What somebody knows of a conversation. */
export interface KnownRows {
  generation: string;
  total: number;
  address: RowAddress;
}

/** Rows that are new or were completed since. With another generation there are none: everything has to be asked for again. */
export async function readChanges(
  kept: KeptTranscripts,
  query: RowsQuery,
  known: KnownRows,
): Promise<RowWindow> {
  return kept.using(query, (now) => changesOf(now, known));
}

function changesOf({ rows, generation }: RowsNow, known: KnownRows): RowWindow {
  const changed = generation === known.generation ? changedRows(rows, known.total) : [];
  // Who is so far behind reads what is shown, and no more.
  const shown = changed.slice(-windowRowsMax);
  return {
    generation,
    total: rows.total,
    from: shown[0] ?? rows.total,
    rows: shown.map((row) => rows.read(row, known.address)),
  };
}

/** The same each time something was appended, until the signal. The last one says that the transcript is gone. */
export async function* watchRows(
  kept: KeptTranscripts,
  query: RowsQuery,
  { signal, ...given }: KnownRows & { signal: AbortSignal },
): AsyncGenerator<RowWindow | { isGone: true }> {
  const { path: file } = query.session;
  // The folder tells when the file is replaced, the file when it grows.
  const changes = watchChanges([path.dirname(file), file], { checkMs: followCheckMs, signal });
  let known: KnownRows = given;
  let seen: ConversationRows | undefined;
  try {
    while (!signal.aborted) {
      const window = await kept.using(query, (now) => {
        // The same rows as at the last look: nothing was appended.
        if (now.rows === seen) return undefined;
        seen = now.rows;
        return changesOf(now, known);
      });
      if (window) {
        const isNews = window.rows.length > 0 || window.generation !== known.generation;
        known = { address: given.address, generation: window.generation!, total: window.total! };
        if (isNews) yield window;
      }
      await changes.next();
    }
  } catch (error) {
    if (codeOf(error) !== "session_not_found") throw error;
    yield { isGone: true };
  } finally {
    changes.close();
  }
}
