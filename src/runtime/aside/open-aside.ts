import { once } from "../../lib/once.ts";
import type { AsideThread } from "./aside-thread.ts";
import { SessionCounts } from "./session-counts.ts";
import type { AsidePlace } from "./place.ts";
import type { AsideStreams, AsideVerbs } from "./verbs.ts";

/** What is done in threads of its own. Answers are as the verbs give them; errors keep their codes. */
export interface Aside {
  ask<Name extends keyof AsideVerbs>(
    verb: Name,
    asked: AsideVerbs[Name]["asked"],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<AsideVerbs[Name]["answer"]>;
  /** Made no faster than it is taken. To stop reading gives it up. */
  open<Name extends keyof AsideStreams>(
    stream: Name,
    asked: AsideStreams[Name]["asked"],
    options?: { signal?: AbortSignal | undefined },
  ): AsyncGenerator<AsideStreams[Name]["piece"]>;
  /** Ends the threads. Harmless when there are none. */
  close(): Promise<void>;
}

/** What somebody who has just clicked waits for. Nothing of this takes long, so that it need not wait for anything that does. */
const quickVerbs: ReadonlySet<keyof AsideVerbs | keyof AsideStreams> = new Set([
  "sessions",
  "session",
  "projects",
  "header",
  "rows",
  "end",
  "changes",
  "digest",
  "text",
  "image",
  "entry",
  "toolUse",
  "find",
  "watch",
]);

/** Starts nothing by itself: a thread is started when it is first asked. */
export function openAside(place: AsidePlace): Aside {
  const threads: AsideThread[] = [];
  const threadOf = once(async () => {
    const { AsideThread: Thread } = await import("./aside-thread.ts");
    const [quick, slow] = [new Thread(place), new Thread(place)];
    threads.push(quick, slow);
    return (name: keyof AsideVerbs | keyof AsideStreams) => (quickVerbs.has(name) ? quick : slow);
  });
  const counts = new SessionCounts(
    async () => (await threadOf())("countSessions").ask("countSessions", {}, undefined) as never,
  );
  return {
    async ask(verb, asked, { signal } = {}) {
      const thread = (await threadOf())(verb);
      const whole = verb === "sessions" ? { counts: counts.areKnown(), ...asked } : asked;
      return thread.ask(verb, whole, signal) as never;
    },
    async *open(stream, asked, { signal } = {}) {
      yield* (await threadOf())(stream).open(stream, asked, signal) as AsyncGenerator<never>;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
