import { holdfastPaths } from "../../format/paths.ts";
import { plural } from "../../lib/quantities.ts";
import { verifyArchive } from "../../store/archive/verify-archive.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether every archived session can be found: one whose manifest is damaged is in no list. */
export const archive: HealthCheck = {
  name: "archive",
  group: "sessions",
  run({ home }) {
    const { sessions, problems } = verifyArchive(holdfastPaths(home).archiveDir, { content: false });
    if (sessions === 0 && problems.length === 0) return undefined;
    if (problems.length === 0)
      return { status: "ok", summary: `${plural(sessions, "archived session")} can be found` };
    return {
      status: "fail",
      summary: `${plural(problems.length, "part")} of the archive cannot be read; its sessions are in no list`,
      findings: problems.map(({ path, text }) => ({ text, path })),
      suggestion: { verb: "archive verify", args: [] },
    };
  },
};
