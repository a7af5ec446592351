import type { Bench, BenchContext, Contest, Measure } from "./measure.ts";
import { judge, type Outcome } from "./outcome.ts";
import { runAlone, runPairs } from "./paired-runs.ts";
import type { Peer } from "./peers.ts";

/** Runs all measures of a bench, each with its A/A control, and says which peers took part. */
export async function runBench(
  bench: Bench,
  context: BenchContext,
): Promise<{ outcomes: Outcome[]; peersUsed: readonly Peer[] }> {
  const outcomes: Outcome[] = [];
  const peersUsed: Peer[] = [];
  for (const measure of bench.measures) {
    process.stderr.write(`bench: ${bench.name}: ${measure.title(context.scale)} …\n`);
    const contest = await measure.open(context);
    if ("unavailable" in contest) {
      const { scale } = context;
      outcomes.push(...judge({ bench: bench.name, measure, scale, runs: contest, control: undefined }));
      continue;
    }
    peersUsed.push(...(contest.peersUsed ?? []));
    try {
      outcomes.push(...(await runMeasure({ bench: bench.name, measure, contest, context })));
    } finally {
      contest.close?.();
    }
  }
  return { outcomes, peersUsed };
}

async function runMeasure(options: {
  bench: string;
  measure: Measure;
  contest: Contest;
  context: BenchContext;
}): Promise<Outcome[]> {
  const { bench, measure, contest } = options;
  const { scale } = options.context;
  const count = measure.pairs[scale.name];
  const { peer, candidate } = contest;
  if (!peer)
    return judge({ bench, measure, scale, runs: await runAlone(contest, count), control: undefined });
  const runs = await runPairs({ ...contest, peer }, count);
  const control = runs.kind === "agreed" ? await runPairs({ ...contest, peer: candidate }, count) : undefined;
  return judge({ bench, measure, scale, runs, control });
}
