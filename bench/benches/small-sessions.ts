import { openCorpus, type Corpus } from "../support/corpus/open-corpus.ts";
import type { BenchContext } from "../support/measure.ts";

/** So many sessions of a few kilobytes, spread over 200 projects. */
export function openSmallSessions({ cacheDir }: BenchContext, count: number): Corpus {
  const parameters = {
    seed: 3,
    bytes: count * 1000,
    sessions: count,
    agents: 0,
    layout: "mixed",
    projects: 200,
    lineBytesMax: 1500,
  } as const;
  return openCorpus(parameters, { cacheDir });
}
