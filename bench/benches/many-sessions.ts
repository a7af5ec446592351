import { openCorpus, type Corpus } from "../support/corpus/open-corpus.ts";
import type { BenchContext } from "../support/measure.ts";

/** The many sessions of a scale, or a part of them. */
export function openManySessions(
  { scale, cacheDir }: BenchContext,
  { share = 1 }: { share?: number } = {},
): Corpus {
  const sessions = scale.sessions * share;
  const parameters = {
    seed: 2,
    bytes: scale.sessionsBytes * share,
    sessions,
    agents: sessions / 4,
    layout: "mixed",
  } as const;
  return openCorpus(parameters, { cacheDir });
}
