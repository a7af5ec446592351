import { textOf } from "../../format/entry-kinds.ts";
import { cutText, oneLine } from "../../format/short-text.ts";
import { storeError } from "../../store/errors.ts";
import type { FileSnapshot } from "../../store/companions/file-history.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import { diffFolder } from "../review/diff-folder.ts";
import { sessionView, type SessionView } from "../views/session-view.ts";
import type { ReviewView } from "../views/session-views.ts";
import { promptLengthMax } from "./limits.ts";
import { countedDiffs } from "./counted-diffs.ts";
import { sessionAsked, type AsideWorld, type RunVerbs } from "./world.ts";

/** What is done to sessions and their files. */
export const changeVerbs: RunVerbs<
  "fork" | "rename" | "tag" | "move" | "trash" | "archive" | "restore" | "diff" | "taskDiff" | "undo"
> = {
  async fork(world, { at, title, ...asked }) {
    const { session, entries } = await world.runtime.sessions.fork(await sessionAsked(world, asked), {
      at,
      title,
    });
    return { session: await viewOf(world, session), entries };
  },
  async rename(world, { title, ...asked }) {
    const session = await sessionAsked(world, asked);
    await world.runtime.sessions.rename(session, title);
    return viewOf(world, session);
  },
  async tag(world, { tag, ...asked }) {
    const session = await sessionAsked(world, asked);
    await world.runtime.sessions.tag(session, tag ?? undefined);
    return viewOf(world, session);
  },
  async move(world, { cwd, ...asked }) {
    return viewOf(world, await world.runtime.sessions.move(await sessionAsked(world, asked), cwd));
  },
  async trash(world, asked) {
    const trashed = await world.runtime.sessions.trash(await sessionAsked(world, asked));
    const { sessionId, project, trashedAt, bytes, title = null } = trashed;
    return { sessionId, project, trashedAt, bytes, title };
  },
  async archive(world, asked) {
    const { sessions } = world.runtime;
    const summary = await sessions.summary(await sessionAsked(world, asked));
    if (summary.archived) return sessionView(summary);
    const { archived } = await sessions.archive({ sessions: [summary] });
    if (archived.length === 0)
      throw storeError(
        "session_in_use",
        `Cannot archive session "${summary.sessionId}": somebody has it open; close it there first`,
      );
    return viewOf(world, await sessionAsked(world, asked));
  },
  async restore(world, { session, from }) {
    const { sessions } = world.runtime;
    if (from === "trash") return viewOf(world, await restoreTrashed(world, session));
    const archive = await sessions.openArchive();
    try {
      return await viewOf(world, archive.restore(session));
    } finally {
      archive.close();
    }
  },
  async diff(world, { from, to, path, ...asked }) {
    const { sessions } = world.runtime;
    const session = await sessionAsked(world, asked);
    const { snapshots } = await sessions.files(session);
    const turns = await turnsOf(world, session, snapshots);
    const none: ReviewView = { from: null, to: null, files: [], turns, isCut: false };
    // A session that tracked nothing has nothing to compare; that is no mistake of whoever asks.
    if (snapshots.length === 0) return none;
    const diffs = await sessions.diffFiles(session, { from, to, path });
    return { ...none, from: from ?? snapshots[0]!.messageId, to: to ?? null, ...countedDiffs(diffs) };
  },
  async taskDiff({ runtime, env, signal }, { task: id, path }) {
    const { record } = await runtime.tasks.named(id);
    const { cwd, startedAt: since } = record;
    const { from, files, isCut } = await diffFolder({ cwd, since, path, env, signal });
    const counted = countedDiffs(files);
    return { from, to: null, turns: [], files: counted.files, isCut: isCut || counted.isCut };
  },
  async undo(world, { to, dryRun, ...asked }) {
    const session = await sessionAsked(world, asked);
    const {
      messageId,
      changes,
      keptIn = null,
    } = await world.runtime.sessions.undoFiles(session, {
      to,
      dryRun,
    });
    return { messageId, changes, keptIn };
  },
};

// With the beginning of each prompt, so that a person knows which it is.
async function turnsOf(
  { kept }: AsideWorld,
  session: SessionRef,
  snapshots: readonly FileSnapshot[],
): Promise<ReviewView["turns"]> {
  const query = { session, isAgent: false, view: "whole", leaf: undefined } as const;
  return kept.using(query, ({ rows }) =>
    snapshots.map(({ messageId, takenAt = null }) => {
      const row = rows.rowOfUuid(messageId);
      const entry = row === undefined ? undefined : rows.entryOf(row)?.entry;
      const prompt = entry === undefined ? null : cutText(oneLine(textOf(entry)), promptLengthMax);
      return { messageId, takenAt, prompt };
    }),
  );
}

async function viewOf({ runtime }: AsideWorld, session: SessionRef): Promise<SessionView> {
  return sessionView(await runtime.sessions.summary(session));
}

// By its whole id: a beginning might mean another one.
async function restoreTrashed({ runtime }: AsideWorld, sessionId: string): Promise<SessionRef> {
  const trash = await runtime.sessions.listTrash();
  if (trash.some((each) => each.sessionId === sessionId)) return runtime.sessions.restore(sessionId);
  throw storeError("trash_not_found", `Cannot restore session "${sessionId}": it is not in the trash`);
}
