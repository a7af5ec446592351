// Holdfast's list of sessions, from the two ends of every file: holdfast-list.mjs CONFIG_DIR HOME [LIMIT]
import { openRuntime } from "holdfast";
import { listed } from "./listed-session.mjs";
import { report } from "./report.mjs";

const [configDir, home, limit] = process.argv.slice(2);

await report({
  work: () =>
    openRuntime({ configDir, home }).sessions.list({ counts: false, limit: limit && Number(limit) }),
  resultOf: (sessions) =>
    sessions.map(({ startedAt, updatedAt, ...session }) =>
      listed({ ...session, startedAtMs: Date.parse(startedAt), updatedAtMs: Date.parse(updatedAt) }),
    ),
});
