import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { followMessages } from "../../src/fleet/transport/follow-messages.ts";
import { readMessages } from "../../src/fleet/transport/log-reader.ts";
import { LogWriter } from "../../src/fleet/transport/log-writer.ts";
import { logStream, logSubject } from "../../src/fleet/transport/names.ts";

export interface LoadOptions {
  sessions: number;
  /** Followers of each session. */
  watchers: number;
  /** Between two appends of a session. */
  pauseMs: number;
  payloadBytes?: number;
}

export interface LoadResult {
  appended: number;
  /** The longest time in which not one append of any session was acknowledged. */
  longestSilenceMs: number;
  appendMs: number[];
  tailMs: number[];
  problems: string[];
}

/** Sessions that are written without pause, and followed, while somebody does things to the servers. */
export interface LogLoad {
  readonly appended: number;
  /** Forgets the times taken so far, for what comes next. */
  resetTimes(): void;
  longestSilenceMs(): number;
  /** Ends the writing, waits until every follower has everything, and compares what is where. */
  finish(): Promise<LoadResult>;
}

/** Starts it: `writing` and `watching` are connections of their own, as workers and watchers have. */
export function startLogLoad(
  { writing, watching }: { writing: FleetConnection; watching: FleetConnection },
  { sessions, watchers, pauseMs, payloadBytes = 1000 }: LoadOptions,
): LogLoad {
  const stop = new AbortController();
  const over = new AbortController();
  const filler = "x".repeat(payloadBytes);
  const appendMs: number[] = [];
  const tailMs: number[] = [];
  let lastAckAt = performance.now();
  let longestMs = 0;
  let appended = 0;
  const all = Array.from({ length: sessions }, () => {
    const place = { shard: 0, sessionId: randomUUID() };
    const acked: string[] = [];
    const writing_ = write(place, acked);
    const followers = Array.from({ length: watchers }, () => follow(place));
    return { place, acked, writing: writing_, followers };
  });

  async function write(place: { shard: number; sessionId: string }, acked: string[]): Promise<void> {
    const writer = new LogWriter(writing, { place, epoch: 1, last: 0 });
    // Not all in one instant.
    await pause(Math.random() * pauseMs);
    while (!stop.signal.aborted) {
      const id = `${acked.length}`;
      const startedAt = performance.now();
      await writer.append(
        Buffer.from(JSON.stringify({ id, at: Date.now() + (performance.now() % 1), filler })),
      );
      const now = performance.now();
      acked.push(id);
      appended++;
      appendMs.push(now - startedAt);
      longestMs = Math.max(longestMs, now - lastAckAt);
      lastAckAt = now;
      await pause(pauseMs);
    }
  }

  function follow(place: { shard: number; sessionId: string }): { seen: string[]; done: Promise<void> } {
    const seen: string[] = [];
    const log = { stream: logStream(0), subject: logSubject(place), after: 0, signal: over.signal };
    const done = (async () => {
      for await (const { data } of followMessages(watching, log)) {
        const { id, at } = JSON.parse(Buffer.from(data).toString()) as { id: string; at: number };
        seen.push(id);
        tailMs.push(Math.max(0, Date.now() - at));
      }
    })();
    return { seen, done };
  }

  return {
    get appended() {
      return appended;
    },
    longestSilenceMs: () => Math.max(longestMs, performance.now() - lastAckAt),
    resetTimes() {
      longestMs = 0;
      lastAckAt = performance.now();
      appendMs.length = 0;
      tailMs.length = 0;
    },
    async finish() {
      stop.abort();
      await Promise.all(all.map((each) => each.writing));
      const giveUpAt = performance.now() + 60_000;
      const isBehind = (): boolean =>
        all.some(({ acked, followers }) => followers.some(({ seen }) => seen.length < acked.length));
      while (isBehind() && performance.now() < giveUpAt) await pause(20);
      over.abort();
      const problems: string[] = [];
      for (const { place, acked, followers } of all) {
        const stored: string[] = [];
        const log = { stream: logStream(0), subject: logSubject(place), from: 1 };
        for await (const { data } of readMessages(writing, log))
          stored.push((JSON.parse(Buffer.from(data).toString()) as { id: string }).id);
        problems.push(...differences(`log of ${place.sessionId}`, { expected: acked, found: stored }));
        for (const { seen, done } of followers) {
          await done;
          problems.push(...differences(`a follower of ${place.sessionId}`, { expected: acked, found: seen }));
        }
      }
      return { appended, longestSilenceMs: longestMs, appendMs, tailMs, problems };
    },
  };
}

function differences(who: string, { expected, found }: { expected: string[]; found: string[] }): string[] {
  if (expected.join() === found.join()) return [];
  const missing = expected.filter((id) => !found.includes(id)).length;
  const twice = found.length - new Set(found).size;
  return [
    `${who}: ${found.length} of ${expected.length} events, ${missing} missing, ${twice} twice, or out of order`,
  ];
}
