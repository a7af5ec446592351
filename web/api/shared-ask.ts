import { ask } from "./ask.ts";
import type { Answer, AnswerRoute, Asked } from "./route-shapes.ts";

interface Shared {
  answer: Promise<unknown>;
  askers: number;
  stop: AbortController;
}

const underWay = new Map<string, Shared>();

/** Asks once for all who want the same at the same time. Given up when the last of them has left. */
export function askTogether<Route extends AnswerRoute>(
  route: Route,
  asked: Asked<Route>,
): { answer: Promise<Answer<Route>>; leave: () => void } {
  const key = `${route} ${JSON.stringify(asked)}`;
  const shared = underWay.get(key) ?? begin(key, (signal) => ask(route, asked, { signal }));
  shared.askers += 1;
  return {
    answer: shared.answer as Promise<Answer<Route>>,
    leave: () => {
      shared.askers -= 1;
      if (shared.askers > 0 || underWay.get(key) !== shared) return;
      underWay.delete(key);
      shared.stop.abort();
    },
  };
}

function begin(key: string, read: (signal: AbortSignal) => Promise<unknown>): Shared {
  const stop = new AbortController();
  const answer = read(stop.signal).finally(() => {
    if (underWay.get(key)?.stop === stop) underWay.delete(key);
  });
  const shared = { answer, askers: 0, stop };
  underWay.set(key, shared);
  return shared;
}
