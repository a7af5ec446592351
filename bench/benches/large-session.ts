import path from "node:path";
import { openCorpus } from "../support/corpus/open-corpus.ts";
import type { TranscriptTruth } from "../support/corpus/truth.ts";
import type { BenchContext, Scale } from "../support/measure.ts";

/** The one session of the scale's size, in which clients of both key layouts took turns. */
export function openLargeSession({ scale, cacheDir }: BenchContext): {
  file: string;
  configDir: string;
  truth: TranscriptTruth;
} {
  const parameters = { seed: 1, bytes: scale.sessionBytes, sessions: 1, agents: 8, layout: "mixed" } as const;
  const corpus = openCorpus(parameters, { cacheDir });
  const truth = corpus.truth.sessions[0]!;
  return { file: path.join(corpus.configDir, truth.path), configDir: corpus.configDir, truth };
}

export function sizeOf({ sessionBytes }: Scale): string {
  return sessionBytes >= 1e9 ? `${sessionBytes / 1e9} GB` : `${sessionBytes / 1e6} MB`;
}
