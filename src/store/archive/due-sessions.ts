import { keepMarginMsMax } from "./limits.ts";
import { configPaths, holdfastPaths } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import { readSettings } from "../companions/settings.ts";
import type { SessionRef } from "../list/find-session.ts";
import { listSessions } from "../list/list-sessions.ts";
import type { StoreContext } from "../write/session-writer.ts";
import { statTranscript } from "../list/transcript-files.ts";
import { archiveStem, listCopies } from "./archived-copies.ts";

/** A session that the client will delete, and when. */
export interface DueSession extends SessionRef {
  bytes: number;
  deletedAt: string;
  /** It is in the archive as it is now. */
  isKept: boolean;
}

export interface DueSessions {
  /** The shortest period that any settings of this machine's projects name. */
  periodDays: number;
  /** Soonest first. */
  sessions: DueSession[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The sessions that the client's sweep will delete within a week (sooner, if it keeps them for less than two). The
 * sweep runs with the settings of whatever project a client is started in, so the shortest period counts for all.
 */
export function listDueSessions({
  configDir,
  home,
  clock = systemClock,
  onIndexTrouble,
}: StoreContext): DueSessions {
  const { indexDir, archiveDir } = holdfastPaths(home);
  const sessions = listSessions({ configDir, indexDir, onIndexTrouble }, { counts: false });
  const cwds = new Set([undefined, ...sessions.map(({ cwd }) => cwd)]);
  const periodDays = Math.min(...[...cwds].map((cwd) => readSettings({ configDir, cwd }).cleanupPeriodDays));
  const periodMs = periodDays * DAY_MS;
  const horizon = clock.now().getTime() + Math.min(keepMarginMsMax, periodMs / 2);
  const copies = new Set(listCopies({ archiveDir }).map(({ stem, modifiedMs }) => `${stem} ${modifiedMs}`));
  const { projectsDir } = configPaths(configDir);
  const due = sessions.flatMap(({ sessionId, project, path }): DueSession[] => {
    const file = path.startsWith(projectsDir) ? statTranscript(path, project) : undefined;
    const at = (file?.mtimeMs ?? Infinity) + periodMs;
    if (!file || at > horizon) return [];
    const isKept = copies.has(`${archiveStem(sessionId)} ${Math.round(file.mtimeMs)}`);
    const deletedAt = new Date(at).toISOString();
    return [{ sessionId, projectKey: project, path, bytes: file.bytes, deletedAt, isKept }];
  });
  return { periodDays, sessions: due.sort((a, b) => (a.deletedAt < b.deletedAt ? -1 : 1)) };
}
