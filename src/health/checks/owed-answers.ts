import { holdfastPaths } from "../../format/paths.ts";
import { plural } from "../../lib/quantities.ts";
import { findAnySession } from "../../store/archive/find-archived.ts";
import { isPacked } from "../../store/archive/read-packed.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import {
  isOver,
  listDamagedOwed,
  listOwed,
  listOwedSessions,
  type AskIfOver,
} from "../../store/owed/owed-answer.ts";
import { isSessionPresent } from "../../store/write/session-presence.ts";
import { openSessionWriter } from "../../store/write/session-writer.ts";
import { isOver as isTaskOver } from "../../tasks/record/is-over.ts";
import type { HealthCheck, HealthContext } from "../health-check.ts";
import type { Backup } from "../repair/open-backup.ts";

/**
 * Answers of queries that have ended in the background and stand in no conversation yet. Readers show them all the same;
 * whoever writes the session next appends them.
 */
export const owedAnswers: HealthCheck = {
  name: "owed-answers",
  group: "sessions",
  async run(context) {
    const { home } = context;
    const ask: AskIfOver = async (task) => isTaskOver(home, task);
    const waiting: { session: SessionRef; count: number }[] = [];
    for (const sessionId of listOwedSessions(home)) {
      const session = findWritable(context, sessionId);
      // Who has it open appends them himself.
      if (!session || isSessionPresent(context, sessionId)) continue;
      const over = await Promise.all(listOwed(home, sessionId).map((owed) => isOver(owed, ask)));
      const count = over.filter(Boolean).length;
      if (count > 0) waiting.push({ session, count });
    }
    const damaged = listOwedSessions(home).flatMap((sessionId) => listDamagedOwed(home, sessionId));
    if (waiting.length + damaged.length === 0)
      return { status: "ok", summary: "every answer is in its conversation" };
    const count = waiting.reduce((sum, each) => sum + each.count, 0);
    return {
      status: "warn",
      summary: [
        count > 0 ? `${plural(count, "answer")} from the background not yet in the session` : "",
        damaged.length > 0 ? `${plural(damaged.length, "note")} of an answer cannot be read` : "",
      ]
        .filter(Boolean)
        .join("; "),
      findings: [
        ...waiting.map(({ session, count: some }) => ({
          text: `${plural(some, "answer")} for session ${session.sessionId}`,
          path: session.path,
          sessionId: session.sessionId,
        })),
        ...damaged.map(({ path, agentId, sessionId }) => ({
          text: `what ${agentId} owes to session ${sessionId} is not known; holdfast show ${agentId} has all it said`,
          path,
          sessionId,
        })),
      ],
      suggestion: { verb: "doctor", options: { repair: true } },
      repairs: [
        ...waiting.map(({ session }) => ({
          path: holdfastPaths(home).owedDir(session.sessionId),
          text: "add the answers that were given in the background",
          run: () => addAnswers(context, session, ask),
        })),
        ...damaged.map(({ path, agentId }) => ({
          path,
          text: "move a note that cannot be read into the backup",
          run: (backup: Backup) => void backup.take(path, { kind: "damaged-note", what: agentId }),
        })),
      ],
    };
  },
};

function findWritable({ configDir, home }: HealthContext, sessionId: string): SessionRef | undefined {
  try {
    const found = findAnySession({ configDir, archiveDir: holdfastPaths(home).archiveDir }, sessionId);
    return found.sessionId === sessionId && !isPacked(found.path) ? found : undefined;
  } catch {
    // It may be in the trash, and come back.
    return undefined;
  }
}

async function addAnswers(context: HealthContext, session: SessionRef, isOverTask: AskIfOver): Promise<void> {
  const { sessionId, projectKey } = session;
  const place = { ...context, isTaskOver: isOverTask };
  const writer = await openSessionWriter(place, { cwd: context.cwd, sessionId, projectKey });
  await writer.close();
}
