// Holdfast's list of sessions, from the two ends of every file, without a cache: holdfast-list.mjs CONFIG_DIR [LIMIT]
import { listSessions } from "holdfast";
import { listed } from "./listed-session.mjs";
import { report } from "./report.mjs";

const [configDir, limit] = process.argv.slice(2);

await report({
  work: () => listSessions({ configDir }, { counts: false, limit: limit && Number(limit) }),
  resultOf: (sessions) =>
    sessions.map(({ startedAt, updatedAt, ...session }) =>
      listed({ ...session, startedAtMs: Date.parse(startedAt), updatedAtMs: Date.parse(updatedAt) }),
    ),
});
