import { spawnSync } from "node:child_process";
import path from "node:path";
import { rankedMatchesMax } from "../../src/search/limits.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest, Side, Unavailable } from "../support/measure.ts";
import { bareNodeSide, commandSide, programPath } from "../support/run-program.ts";
import { openManySessions } from "./many-sessions.ts";

// Nowhere in the corpus, so that every byte has to be looked at.
const RARE = "zyxquokka";
// Both in about 3,000 of its 200,000 messages, of which 20 are shown.
const KNOWN = "beranber lumberkel";

export const search: Bench = {
  name: "search",
  measures: [
    {
      title: ({ sessions }) => `a rare word in ${sessions} sessions, no index`,
      against: "ripgrep, all cores",
      pairs: { full: 9, quick: 3 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "speedup", atLeast: 0.6 } },
      ],
      open: openScan,
    },
    {
      title: ({ sessions }) => `a rare word in ${sessions} sessions, no index`,
      against: "Node reading the files on all cores, looking at nothing",
      pairs: { full: 9, quick: 3 },
      figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost" } }],
      open: openReadAll,
    },
    {
      title: ({ sessions }) => `two words in ${sessions} sessions, indexed`,
      against: "node -e 0",
      pairs: { full: 25, quick: 5 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost", atMost: 3.7 } },
      ],
      open: openIndexed,
    },
    {
      title: ({ sessions }) => `two words in ${sessions} sessions, indexed`,
      against: "the least: the same FTS5 query, every file's size",
      pairs: { full: 25, quick: 5 },
      figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost" } }],
      open: openFts5,
    },
  ],
  notMeasured: [
    "words that occur everywhere: each line that holds one is parsed, which ripgrep need not",
    "either case: we look for both, ripgrep for the given one",
    "a cold page cache",
  ],
};

async function openScan(context: BenchContext): Promise<Contest | Unavailable> {
  if (spawnSync("rg", ["--version"]).status !== 0)
    return { unavailable: "ripgrep (rg) is not on the PATH; install it" };
  const { configDir } = openManySessions(context);
  const projects = path.join(configDir, "projects");
  return {
    // Without a match it exits with 1.
    peer: commandSide(["sh", "-c", 'rg -uu --count "$0" "$1" || true', RARE, projects], {
      resultOf: (stdout) => stdout.trim(),
    }),
    candidate: scanSide(context, configDir),
  };
}

async function openReadAll(context: BenchContext): Promise<Contest> {
  const { configDir } = openManySessions(context);
  return {
    peer: commandSide([process.execPath, programPath("read-all.mjs")], {
      env: { CLAUDE_CONFIG_DIR: configDir },
    }),
    candidate: scanSide(context, configDir),
    comparable: false,
  };
}

function scanSide(context: BenchContext, configDir: string): Side {
  return inFreshFolder(context, (home) =>
    commandSide([...installedCommand(context), "search", "--all", RARE], {
      env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home },
      resultOf: (stdout) => stdout.trim(),
    }),
  );
}

async function openIndexed(context: BenchContext): Promise<Contest> {
  return {
    peer: bareNodeSide(),
    candidate: indexedSide(context, indexAll(context)),
    comparable: false,
    verify: (total) => (Number(total) > 0 ? undefined : "nothing was found"),
  };
}

async function openFts5(context: BenchContext): Promise<Contest> {
  const env = indexAll(context);
  const database = path.join(env.HOLDFAST_HOME, "index", "index.db");
  const query = KNOWN.split(" ").join(" AND ");
  const command = [
    process.execPath,
    programPath("fts5-query.mjs"),
    database,
    query,
    String(rankedMatchesMax),
  ];
  return {
    peer: commandSide(command, {
      env,
      resultOf: (stdout) => {
        const { isCurrent, total } = JSON.parse(stdout) as { isCurrent: boolean; total: number };
        return isCurrent ? total : "the index does not hold everything";
      },
    }),
    candidate: indexedSide(context, env),
  };
}

interface IndexedEnv extends NodeJS.ProcessEnv {
  CLAUDE_CONFIG_DIR: string;
  HOLDFAST_HOME: string;
}

/** Where an index holds everything. */
function indexAll(context: BenchContext): IndexedEnv {
  const { configDir } = openManySessions(context);
  const home = path.join(context.cacheDir, `indexed-home-${context.scale.name}`);
  const env = { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home };
  const [program, ...args] = installedCommand(context);
  process.stderr.write("bench: indexing …\n");
  const done = spawnSync(program!, [...args, "index"], { env: { ...process.env, ...env }, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot run "holdfast index": ${done.stderr}`);
  return env;
}

function indexedSide(context: BenchContext, env: IndexedEnv): Side {
  return commandSide([...installedCommand(context), "search", "--all", KNOWN, "--json"], {
    env,
    resultOf: (stdout) => (JSON.parse(stdout) as { total: number }).total,
  });
}
