import { listDueSessions, isKeepOn } from "../../store/archive/index.ts";
import type { HealthCheck } from "../health-check.ts";

/** What the client's sweep is about to delete, and whether anybody keeps it. */
export const retention: HealthCheck = {
  name: "retention",
  group: "environment",
  run({ home, settingsFile, configDir, clock }) {
    const { periodDays, sessions } = listDueSessions({ home, configDir, clock });
    const period = `the client deletes sessions after ${periodDays} ${periodDays === 1 ? "day" : "days"}`;
    const unkept = sessions.filter(({ isKept }) => !isKept);
    const isOn = isKeepOn({ home, settingsFile });
    if (unkept.length === 0)
      return { status: "ok", summary: isOn ? `${period}; the archive keeps them` : period };
    return {
      status: "warn",
      summary: `${period}: ${unkept.length} soon, and no copy is kept`,
      findings: unkept.map(({ sessionId, path, deletedAt }) => ({
        text: `${sessionId} from ${deletedAt.slice(0, 10)} on`,
        path,
        sessionId,
      })),
      suggestion: { verb: "archive keep", args: isOn ? [] : ["on"] },
    };
  },
};
