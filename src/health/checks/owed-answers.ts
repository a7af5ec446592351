import { holdfastPaths } from "../../format/paths.ts";
import { plural } from "../../lib/quantities.ts";
import { findAnySession } from "../../store/archive/find-archived.ts";
import { isPacked } from "../../store/archive/read-packed.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import { isOver, listOwed, listOwedSessions, type AskIfOver } from "../../store/owed/owed-answer.ts";
import { isSessionPresent } from "../../store/write/session-presence.ts";
import { openSessionWriter } from "../../store/write/session-writer.ts";
import { isOver as isTaskOver } from "../../tasks/record/is-over.ts";
import type { HealthCheck, HealthContext } from "../health-check.ts";

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
    if (waiting.length === 0) return { status: "ok", summary: "every answer is in its conversation" };
    const count = waiting.reduce((sum, each) => sum + each.count, 0);
    return {
      status: "warn",
      summary: `${plural(count, "answer")} from the background not yet in the session`,
      findings: waiting.map(({ session, count: some }) => ({
        text: `${plural(some, "answer")} for session ${session.sessionId}`,
        path: session.path,
        sessionId: session.sessionId,
      })),
      suggestion: { verb: "doctor", options: { repair: true } },
      repairs: waiting.map(({ session }) => ({
        path: session.path,
        text: "add the answers that were given in the background",
        run: () => addAnswers(context, session, ask),
      })),
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
