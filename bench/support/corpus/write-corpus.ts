import path from "node:path";
import type { LayoutChoice, Opening } from "./conversation.ts";
import { createProse, type Prose } from "./prose.ts";
import { createRandom, type Random } from "./random.ts";
import { createTally } from "./tally.ts";
import type { CorpusTruth, TranscriptTruth } from "./truth.ts";
import { writeTranscript } from "./write-transcript.ts";

export interface CorpusParameters {
  readonly seed: number;
  /** All sessions together, about; their sub-agents come on top. */
  readonly bytes: number;
  readonly sessions: number;
  /** Sub-agents of all sessions together, at most. */
  readonly agents: number;
  readonly layout: LayoutChoice;
  /** Folders that the sessions are spread over, at most; 40 if absent. */
  readonly projects?: number;
  /** Of the lines that are said, about; 400 KB if absent. */
  readonly lineBytesMax?: number;
}

const PROJECTS = 40;
/** What all sub-agents' transcripts weigh, against the sessions'. */
const AGENT_SHARE = 0.1;
const FORK_CHANCE = 0.03;
const SESSION_BYTES_MIN = 3000;
const FIRST_DAY_MS = Date.parse("2026-03-01T00:00:00Z");
const DAYS = 180;
const DAY_MS = 86_400_000;

/** Writes a config folder full of sessions and returns what is true of it. The same parameters give the same bytes. */
export function writeCorpus(configDir: string, parameters: CorpusParameters): CorpusTruth {
  const random = createRandom(parameters.seed);
  const tools = { random, prose: createProse(random), tally: createTally() };
  const cwds = drawProjects(parameters, tools);
  const sessions: TranscriptTruth[] = [];
  const agents: TranscriptTruth[] = [];
  let previous: { cwd: string; opening: Opening; updatedAt: string } | undefined;

  for (const [index, bytes] of drawSizes(parameters, random).entries()) {
    // A fork lies in its original's project and goes on at a later time.
    const forkOf = random.chance(FORK_CHANCE) ? previous : undefined;
    const cwd = forkOf?.cwd ?? random.pick(cwds);
    const sessionId = random.uuid();
    const written = writeTranscript(
      {
        configDir,
        file: path.join(configDir, "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${sessionId}.jsonl`),
        sessionId,
        cwd,
        gitBranch: random.pick(["main", "feature/tail", "fix/lease"]),
        layout: parameters.layout,
        lineBytesMax: parameters.lineBytesMax,
        bytes,
        startedAtMs:
          forkOf === undefined
            ? FIRST_DAY_MS + random.below(DAYS * DAY_MS)
            : Date.parse(forkOf.updatedAt) + random.below(DAY_MS),
        agents: shareOf(parameters.agents, { index, count: parameters.sessions }),
        agentBytes: (parameters.bytes * AGENT_SHARE) / Math.max(1, parameters.agents),
        forkOf: forkOf?.opening,
      },
      tools,
    );
    sessions.push(written.truth);
    agents.push(...written.agents);
    previous = { cwd, opening: written.opening, updatedAt: written.truth.updatedAt };
  }

  const compactions = sessions.reduce((sum, session) => sum + session.compactions, 0);
  return { ...tools.tally.totals(), compactions, sessions, agents };
}

function drawProjects(
  { sessions, projects = PROJECTS }: CorpusParameters,
  { prose }: { prose: Prose },
): string[] {
  const count = Math.min(projects, sessions);
  return Array.from({ length: count }, (_, index) => `/home/dev/work/${prose.words(1)}.${index}`);
}

// Session sizes have a long tail: most are small, a few are most of the bytes.
function drawSizes({ sessions, bytes }: CorpusParameters, random: Random): number[] {
  const weights = Array.from({ length: sessions }, () => Math.exp(1.4 * random.gauss()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.max(SESSION_BYTES_MIN, (weight / total) * bytes));
}

// Spreads `total` over `count` places as evenly as whole numbers allow.
function shareOf(total: number, { index, count }: { index: number; count: number }): number {
  return Math.floor(((index + 1) * total) / count) - Math.floor((index * total) / count);
}
