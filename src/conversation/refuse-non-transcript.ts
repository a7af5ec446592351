import { storeError } from "../store/errors.ts";
import type { SessionRef } from "../store/list/find-session.ts";
import type { Rejection } from "../store/line/rejection.ts";
import type { SessionStore } from "../store/session-store.ts";
import { plural } from "../lib/quantities.ts";
import { rejectionText } from "./rejection-text.ts";

export interface ReadLines {
  store: SessionStore;
  session: SessionRef;
  rejections: readonly Rejection[];
}

/** Throws `not_a_transcript` when no line of the file is an entry: it is something else, not a damaged session. */
export async function refuseNonTranscript({ store, session, rejections }: ReadLines): Promise<void> {
  const [first] = rejections;
  if (!first) return;
  // The counts are of all lines; an entry that is no part of a conversation (a title) is one too many.
  const lineCount = Object.values(await store.counts(session)).reduce((sum, count) => sum + count, 0);
  if (lineCount > rejections.length) return;
  const lines =
    rejections.length === 1
      ? "its only line is no entry"
      : `none of its ${plural(rejections.length, "line")} is an entry`;
  throw storeError(
    "not_a_transcript",
    `Cannot read "${session.path}" as a session: ${lines} (${rejectionText(first)})`,
    {
      fields: { path: session.path },
    },
  );
}
