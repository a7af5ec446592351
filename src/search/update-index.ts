import path from "node:path";
import { holdfastPaths } from "../format/paths.ts";
import { acquireLease } from "../lib/lease.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import { searchError } from "./errors.ts";
import type { SearchContext } from "./listed-transcripts.ts";
import { updateInThread } from "./update-in-thread.ts";
import {
  updateWords,
  type IndexUpdate,
  type UpdateIndexOptions,
  type UpdateOutcome,
} from "./update-words.ts";

/**
 * Brings the words in the index up to the transcripts: what was appended is taken in, what changed or is gone is forgotten.
 * One process at a time, or `conflict`. May be stopped at any moment, also by a kill: the next update goes on where this
 * one was. Throws `index_unwritable`.
 */
export async function updateIndex(
  context: SearchContext,
  options: UpdateIndexOptions = {},
): Promise<IndexUpdate> {
  const { leasesDir } = holdfastPaths(context.home);
  ensurePrivateDir(leasesDir);
  const lease = acquireLease(path.join(leasesDir, "search-index"), { subject: "the search index" });
  try {
    let outcome = await updateOnce(context, options);
    // The next write makes a damaged index anew.
    if (outcome.kind === "unwritable" && outcome.trouble === "damaged")
      outcome = await updateOnce(context, options);
    if (outcome.kind === "updated") return outcome.update;
    const { trouble } = outcome;
    throw searchError("index_unwritable", `Cannot write the index: ${reasons[trouble]}`, {
      fields: { trouble },
    });
  } finally {
    lease.release();
  }
}

// The few transcripts of a search are taken in before a thread would have started.
function updateOnce(context: SearchContext, options: UpdateIndexOptions): Promise<UpdateOutcome> {
  return options.only ? updateWords(context, options) : updateInThread(context, options);
}

const reasons: Record<IndexTrouble, string> = {
  damaged: "it is damaged",
  wrong: "it does not fit the files",
  newer: "a newer Holdfast made it",
  unreadable: "it cannot be read",
  unwritable: "the disk is full or read-only",
  busy: "another process is writing to it",
};
