import fs from "node:fs";
import { holdfastPaths, projectKeyMatches } from "../../format/paths.ts";
import { listSessions, type SessionSummary } from "../../store/list/list-sessions.ts";
import type { HealthCheck } from "../health-check.ts";

/**
 * Sessions that a client started in their folder does not find: the folder was renamed or removed, or the transcript is
 * filed under another one's name. Only a person knows where the folder is now.
 */
export const movedFolders: HealthCheck = {
  name: "moved-folders",
  group: "sessions",
  run({ configDir, home, onIndexTrouble }) {
    const { indexDir } = holdfastPaths(home);
    const lost = listSessions({ configDir, indexDir, onIndexTrouble }, { counts: false }).flatMap(
      (session) => {
        const why = reasonOf(session);
        return why === undefined ? [] : [{ session, why }];
      },
    );
    if (lost.length === 0) return { status: "ok", summary: "every session is filed under its folder" };
    const folders = new Set(lost.map(({ session }) => session.cwd));
    return {
      status: "warn",
      summary: `${lost.length} ${lost.length === 1 ? "session belongs" : "sessions belong"} to ${folders.size === 1 ? "a folder that moved or is gone" : `${folders.size} folders that moved or are gone`}`,
      findings: lost.map(({ session: { sessionId, path }, why }) => ({
        text: `${sessionId}: ${why}`,
        path,
        sessionId,
      })),
      suggestion: { verb: "move", args: ["<session>", "<folder>"] },
    };
  },
};

function reasonOf({ cwd, project }: SessionSummary): string | undefined {
  if (cwd === undefined) return undefined;
  if (!projectKeyMatches(project, cwd)) return `filed under ${project}, but worked in ${cwd}`;
  return fs.existsSync(cwd) ? undefined : `its folder is gone: ${cwd}`;
}
