import path from "node:path";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest } from "../support/measure.ts";
import { commandSide, programSide } from "../support/run-program.ts";
import { openManySessions } from "./many-sessions.ts";

// A fifth of the many sessions: the rate is the same, and a run takes seconds instead of a minute.
const SHARE = 0.2;

export const index: Bench = {
  name: "index",
  measures: [
    {
      title: ({ sessions }) => `${sessions * SHARE} sessions into an index, secrets redacted`,
      against: "SQLite FTS5, contentless, alone",
      pairs: { full: 5, quick: 3 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "speedup", atLeast: 0.8 } },
        { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "speedup" } },
      ],
      open: async (context) => openIngest(context),
    },
  ],
  notMeasured: [
    "how much it finds: FTS5 alone knows neither parts of identifiers nor scripts without spaces",
    "taking in what was appended, which costs as much as what was appended",
    "a cold page cache",
  ],
};

function openIngest(context: BenchContext): Contest {
  const { configDir } = openManySessions(context, { share: SHARE });
  return {
    peer: inFreshFolder(context, (dir) =>
      programSide("fts5-ingest.mjs", { args: [configDir, path.join(dir, "fts5.db")] }),
    ),
    candidate: inFreshFolder(context, (home) =>
      commandSide([...installedCommand(context), "index", "--json"], {
        env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home },
        resultOf: (stdout) => (JSON.parse(stdout) as { documents: number }).documents,
      }),
    ),
  };
}
