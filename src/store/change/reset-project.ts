import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths, projectKey } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { acquireLease, type Lease } from "../../lib/lease.ts";
import { namesIn } from "../../lib/names-in.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { readJson } from "../../lib/read-json.ts";
import { listArchivedSummaries } from "../archive/archived-sessions.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { strayFilesOf } from "../list/stray-agents.ts";
import { configCompanions, SharedFolders } from "../list/session-files.ts";
import { transcriptsOf } from "../list/project-sessions.ts";
import type { StoreContext } from "../write/session-writer.ts";
import {
  intoTrash,
  itemsToPutBack,
  listTrash,
  putBack,
  refuseToTrash,
  trashSession,
  type ResetName,
  type TrashedSession,
} from "./trash-session.ts";

/** What a reset has moved to the trash. */
export interface ProjectReset {
  /** The same for a reset that was cut off and the one that finished it. */
  id: string;
  sessions: TrashedSession[];
  /** Sessions of the project that are in the archive, and stay there. */
  archived: number;
}

/** Written before the first session goes and after the last, so that a reset that was cut off is continued under its name. */
interface ResetNote extends ResetName {
  version: 1;
  isDone: boolean;
}

/**
 * Moves the whole history of a directory's project to the trash: its sessions with their companions, and what is left of sessions
 * whose transcripts are gone. Nothing is moved while one of them is in use. `undoReset` puts everything back, wherever the process
 * died.
 */
export function resetProject(context: StoreContext, cwd: string): ProjectReset {
  const { configDir, home } = context;
  const { archiveDir } = holdfastPaths(home);
  const lease = leaseOf(context, cwd);
  try {
    const sessions = transcriptsOf(configDir, cwd);
    const shared = new SharedFolders();
    for (const session of sessions) refuseToTrash(context, session, shared);
    const reset = unfinished(home, cwd) ?? { id: newId(context), cwd };
    note(context, { ...reset, version: 1, isDone: false });
    for (const session of sessions) trashSession(context, session, { reset, shared });
    for (const { sessionId, project, sources } of strayFilesOf(configDir, cwd)) {
      const all = [...sources, ...configCompanions(configDir, sessionId, shared)];
      intoTrash(context, { sessionId, project, bytes: 0, reset, sources: all });
    }
    note(context, { ...reset, version: 1, isDone: true });
    return {
      id: reset.id,
      sessions: listTrash(context).filter((trashed) => trashed.reset?.id === reset.id),
      archived: listArchivedSummaries({ configDir, archiveDir }, { cwd }).length,
    };
  } finally {
    lease.release();
  }
}

/**
 * Puts everything back that the last reset of the project has moved. Throws `target_exists`, and moves nothing, if something is in
 * the way; `trash_not_found` if there was no reset, or its sessions are no longer in the trash.
 */
export function undoReset(context: StoreContext, cwd: string): SessionRef[] {
  const lease = leaseOf(context, cwd);
  try {
    const ofProject = listTrash(context).filter(({ reset }) => reset?.cwd === cwd);
    const newest = ofProject
      .map(({ reset }) => reset!.id)
      .sort()
      .at(-1);
    if (newest === undefined)
      throw storeError("trash_not_found", `Cannot undo a reset of "${cwd}": nothing of one is in the trash`);
    const trashed = ofProject.filter(({ reset }) => reset!.id === newest);
    for (const each of trashed) itemsToPutBack(each);
    const sessions = trashed.map((each) => putBack(context, each));
    fs.rmSync(notePath(context.home, newest), { force: true });
    return sessions;
  } finally {
    lease.release();
  }
}

function leaseOf({ home, files = nodeFileOps }: StoreContext, cwd: string): Lease {
  const { leasesDir } = holdfastPaths(home);
  const file = path.join(ensurePrivateDir(leasesDir, files), `reset-${projectKey(cwd).slice(-180)}.lease`);
  return acquireLease(file, { subject: cwd, kind: "the history of", files });
}

// Sorts by time.
function newId({ clock = systemClock }: StoreContext): string {
  return `${clock
    .now()
    .toISOString()
    .replace(/[^0-9]/g, "")}-${randomBytes(3).toString("hex")}`;
}

function note({ home, files = nodeFileOps }: StoreContext, reset: ResetNote): void {
  const file = notePath(home, reset.id);
  ensurePrivateDir(path.dirname(file), files);
  writeFileAtomic(file, `${JSON.stringify(reset)}\n`, { files });
}

function notePath(home: string, id: string): string {
  return path.join(holdfastPaths(home).trashDir, `reset-${id}.json`);
}

function unfinished(home: string, cwd: string): ResetName | undefined {
  const { trashDir } = holdfastPaths(home);
  for (const name of namesIn(trashDir)) {
    if (!/^reset-.+\.json$/.test(name)) continue;
    const found = readJson(path.join(trashDir, name)) as Partial<ResetNote> | null | undefined;
    if (found?.version === 1 && found.cwd === cwd && found.isDone === false)
      return { id: String(found.id), cwd };
  }
  return undefined;
}
