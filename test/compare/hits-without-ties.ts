import fs from "node:fs";

interface Hit {
  uuid: string | null;
  score: number;
  sessionId: string;
  project: string;
  path: string;
  /** Older builds do not say it. */
  cwd?: string | null;
}

/**
 * What two answers to a search must have in common. Threads look through transcripts in any order, so hits of one score
 * may stand in any order, and of those with the lowest score others may be shown. A fork repeats the messages of its
 * original: either place will do, if the message stands there.
 */
export function hitsWithoutTies(json: unknown): unknown {
  const { hits, total } = json as { hits: Hit[]; total: number };
  const lowest = total > hits.length ? hits.at(-1)?.score : undefined;
  const certain = hits.filter(({ score }) => score !== lowest).map(withoutPlace);
  const keyOf = (hit: object): string => JSON.stringify(hit);
  return { total, hits: certain.sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

/** What was found, whatever its score: how much, and, when all of it is shown, what. */
export function foundHits(json: unknown): unknown {
  const { hits, total } = json as { hits: Hit[]; total: number };
  const texts = hits.map((hit) => JSON.stringify({ ...withoutPlace(hit), score: 0 }));
  return { total, hits: total > hits.length ? [] : texts.sort() };
}

function withoutPlace({ cwd: _cwd, ...hit }: Hit): { score: number } {
  const { sessionId, project, path, ...rest } = hit;
  const isThere = hit.uuid !== null && fs.readFileSync(path).includes(hit.uuid);
  const isNamed = path.includes(project) && path.includes(sessionId);
  return isThere && isNamed ? rest : hit;
}
