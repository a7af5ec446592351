// Holdfast's list of sessions: holdfast-list.mjs CONFIG_DIR HOME [LIMIT [counts]]
// From the two ends of every file, or with message counts, which are kept in the home for the next time.
import { openRuntime } from "holdfast";
import { listed } from "./listed-session.mjs";
import { report } from "./report.mjs";

const [configDir, home, limit, counts] = process.argv.slice(2);

await report({
  work: () =>
    openRuntime({ configDir, home }).sessions.list({
      counts: counts === "counts",
      limit: limit ? Number(limit) : undefined,
    }),
  resultOf: (sessions) =>
    sessions.map(({ sessionId, updatedAt, bytes, cwd, startedAt, firstPrompt }) => {
      const [updatedAtMs, startedAtMs] = [Date.parse(updatedAt), Date.parse(startedAt)];
      return listed({ sessionId, updatedAtMs, bytes, cwd, startedAtMs, firstPrompt });
    }),
});
