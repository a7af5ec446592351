import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

const AGENTS = 100;
const MESSAGES = { full: 200, quick: 20 };

export const agents: Bench = {
  name: "agents",
  measures: [
    {
      title: ({ name }) => `${AGENTS} agents at once, ${MESSAGES[name]} messages each`,
      against: "one writer appending them alone",
      pairs: { full: 9, quick: 3 },
      figures: [
        {
          label: "all messages recorded",
          read: ({ callMs }) => callMs,
          goal: { kind: "speedup", atLeast: 0.5 },
        },
        {
          label: "memory of one of two processes",
          read: ({ rssBytes = 0 }) => rssBytes / 1e6,
          goal: { kind: "limit", atMost: 250, unit: "MB" },
        },
      ],
      open: async (context): Promise<Contest> => {
        const messages = MESSAGES[context.scale.name];
        return {
          peer: side(context, "holdfast-writer.mjs", [AGENTS * messages]),
          candidate: side(context, "holdfast-agents.mjs", [AGENTS, messages]),
        };
      },
    },
  ],
  notMeasured: [
    "the model: these agents know at once what to say, and only say it",
    "starting and ending an agent: its record, prompt and result are synced to the disk",
    "agents in processes of their own, of which each takes the memory of a Node process",
  ],
};

function side(context: BenchContext, program: string, numbers: number[]): Side {
  return inFreshFolder(context, (folder) => programSide(program, { args: [folder, ...numbers.map(String)] }));
}
