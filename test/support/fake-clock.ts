import type { Clock } from "../../src/lib/clock.ts";

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. */
export function fakeClock(start = "2026-01-02T03:04:05.000Z"): FakeClock {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms;
    },
  };
}
