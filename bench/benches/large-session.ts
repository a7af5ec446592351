import path from "node:path";
import { openCorpus } from "../support/corpus/open-corpus.ts";
import type { TranscriptTruth } from "../support/corpus/truth.ts";
import type { BenchContext, Scale } from "../support/measure.ts";

export interface LargeSession {
  readonly file: string;
  readonly configDir: string;
  readonly truth: TranscriptTruth;
}

/** One session of the scale's size, as the clients of one era write it. */
export function openLargeSession(
  { scale, cacheDir }: BenchContext,
  { layout }: { layout: "old" | "new" },
): LargeSession {
  const parameters = { seed: 1, bytes: scale.sessionBytes, sessions: 1, agents: 8, layout };
  const corpus = openCorpus(parameters, { cacheDir });
  const truth = corpus.truth.sessions[0]!;
  return { file: path.join(corpus.configDir, truth.path), configDir: corpus.configDir, truth };
}

export function sizeOf({ sessionBytes }: Scale): string {
  return sessionBytes >= 1e9 ? `${sessionBytes / 1e9} GB` : `${sessionBytes / 1e6} MB`;
}
