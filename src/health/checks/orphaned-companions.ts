import path from "node:path";
import { listOrphans, type Orphan } from "../../store/companions/index.ts";
import { archiveStem, listCopies } from "../../store/archive/archived-copies.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { HealthCheck, HealthContext } from "../health-check.ts";

/** Companions whose session is gone: to-dos, file history, environments. Those of an archived session are none. */
export const orphanedCompanions: HealthCheck = {
  name: "orphaned-companions",
  group: "sessions",
  run(context) {
    const orphans = orphansOf(context);
    if (orphans.length === 0) return { status: "ok", summary: "every companion has its session" };
    return {
      status: "warn",
      summary: `${orphans.length} ${orphans.length === 1 ? "companion has" : "companions have"} no session any more`,
      findings: orphans.map(({ kind, path: file, sessionId }) => ({
        text: `${kind} ${path.basename(file)}`,
        path: file,
        sessionId,
      })),
      suggestion: { verb: "doctor", options: { repair: true } },
      repairs: orphans.map(({ kind, path: file }) => ({
        path: file,
        text: `move ${kind} into the backup`,
        run: (backup) => void backup.take(file, { kind: "orphan", what: kind }),
      })),
    };
  },
};

function orphansOf({ configDir, home }: HealthContext): Orphan[] {
  const { archiveDir } = holdfastPaths(home);
  const archived = new Set(listCopies({ archiveDir }).map(({ stem }) => stem));
  return listOrphans({ configDir }).orphans.filter(({ sessionId }) => !archived.has(archiveStem(sessionId)));
}
