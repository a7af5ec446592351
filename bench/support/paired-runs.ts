import { isDeepStrictEqual } from "node:util";
import type { Contest, Sample } from "./measure.ts";

export interface Pair {
  readonly peer: Sample;
  readonly candidate: Sample;
}

/** A contest with somebody to compare with. */
export type TwoSides = Contest & Required<Pick<Contest, "peer">>;

export type PairedRuns =
  | { readonly kind: "agreed"; readonly pairs: readonly Pair[] }
  /** The two sides did not compute the same, or not the truth: their times mean nothing. */
  | { readonly kind: "differed"; readonly difference: string };

/** Runs our side alone, `count` times. A pair is then the same sample twice. */
export async function runAlone({ candidate, verify }: Contest, count: number): Promise<PairedRuns> {
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    const sample = await candidate();
    const difference = verify?.(sample.result);
    if (difference !== undefined) return { kind: "differed", difference };
    pairs.push({ peer: sample, candidate: sample });
  }
  return { kind: "agreed", pairs };
}

/**
 * Runs both sides back to back, `count` times, the order alternating, after one unmeasured run of each that warms
 * the page cache. Machines are shared and noisy: two neighbouring runs share their noise, so only ratios within a
 * pair are meaningful.
 */
export async function runPairs(contest: TwoSides, count: number): Promise<PairedRuns> {
  const warmUp = { peer: await contest.peer(), candidate: await contest.candidate() };
  const difference = findDifference(contest, warmUp);
  if (difference !== undefined) return { kind: "differed", difference };

  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    const pair = await runPair(contest, { peerFirst: index % 2 === 0 });
    const later = findDifference(contest, pair);
    if (later !== undefined) return { kind: "differed", difference: later };
    pairs.push(pair);
  }
  return { kind: "agreed", pairs };
}

async function runPair({ peer, candidate }: TwoSides, { peerFirst }: { peerFirst: boolean }): Promise<Pair> {
  if (peerFirst) return { peer: await peer(), candidate: await candidate() };
  const candidateSample = await candidate();
  return { peer: await peer(), candidate: candidateSample };
}

function findDifference(
  { comparable = true, verify }: Contest,
  { peer, candidate }: Pair,
): string | undefined {
  if (comparable && !isDeepStrictEqual(peer.result, candidate.result)) {
    return describeDifference({ expected: peer.result, actual: candidate.result });
  }
  return verify?.(candidate.result);
}

function describeDifference({ expected, actual }: { expected: unknown; actual: unknown }): string {
  if (!Array.isArray(expected) || !Array.isArray(actual)) {
    return `peer ${abbreviate(expected)}, candidate ${abbreviate(actual)}`;
  }
  const length = Math.max(expected.length, actual.length);
  let first = 0;
  while (first < length && isDeepStrictEqual(expected[first], actual[first])) first += 1;
  return `peer has ${expected.length} items, candidate ${actual.length}; the first difference is item ${first}: peer ${abbreviate(expected[first])}, candidate ${abbreviate(actual[first])}`;
}

function abbreviate(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}
