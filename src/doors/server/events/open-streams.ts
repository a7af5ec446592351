import { randomUUID } from "node:crypto";
import { serverError } from "../errors.ts";
import type { ServerEvents, WatchBody } from "../api/index.ts";
import { streamsMax } from "../limits.ts";
import { openPlaces } from "../places.ts";
import { EventStream } from "./event-stream.ts";
import type { StreamsWorld } from "./streams-world.ts";
import { tellTasks } from "./tell-tasks.ts";
import { watchConversation } from "./watch-conversation.ts";
import { watchOutput } from "./watch-output.ts";
import { SessionWatch } from "./watch-sessions.ts";

interface OpenStream {
  stream: EventStream;
  signal: AbortSignal;
  /** Ends what was watched before. */
  watching: AbortController;
}

/** The readers of events that this server has. */
export class OpenStreams {
  readonly #places = openPlaces(streamsMax, "too many event streams are open");
  readonly #open = new Map<string, OpenStream>();
  #sessions: SessionWatch | undefined;

  /** The text of a new stream. It goes on after the id of an event, also of an earlier server. */
  async *open(
    world: StreamsWorld,
    { after, signal: leaving }: { after: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<string> {
    const leavePlace = this.#places.enter();
    const over = new AbortController();
    const signal = AbortSignal.any([leaving, over.signal]);
    const [id, stream] = [randomUUID(), new EventStream()];
    this.#open.set(id, { stream, signal, watching: new AbortController() });
    this.#sessions ??= new SessionWatch(world.runtime.aside);
    const leaveSessions = this.#sessions.listen((changes) =>
      stream.push("sessions", mergedSessions(stream, changes)),
    );
    const { instance, version } = world;
    const telling = tellTasks(stream, { world, after, signal }, ({ cursor, isResumed }) => {
      // First of all, also before what has waited since the stream was opened.
      stream.first({ name: "hello", data: { stream: id, instance, version, isResumed }, id: cursor });
      if (isResumed) stream.push("stale", { name: "stale", data: { what: ["tasks", "sessions"] } });
    });
    // Whatever ends it ends the stream: its reader comes back.
    telling.catch(() => {}).finally(() => over.abort());
    try {
      yield* stream.text(signal);
    } finally {
      over.abort();
      this.#open.get(id)?.watching.abort();
      this.#open.delete(id);
      leaveSessions();
      leavePlace();
    }
  }

  /** What a stream tells of in detail from now on, in the place of what was said before. */
  watch({ runtime }: StreamsWorld, id: string, { outputs, conversations }: WatchBody): void {
    const open = this.#open.get(id);
    if (!open)
      throw serverError("no_route", `Cannot watch for stream "${id}": it is not open; open another one`);
    const { stream } = open;
    open.watching.abort();
    open.watching = new AbortController();
    const signal = AbortSignal.any([open.signal, open.watching.signal]);
    const { tasks, aside } = runtime;
    // One that cannot be watched (it was removed meanwhile) does not end the others.
    for (const output of outputs) watchOutput(stream, output, { tasks, signal }).catch(() => {});
    for (const watched of conversations)
      watchConversation(stream, watched, { aside, signal }).catch(() => {});
  }

  /** Tells every reader that something is no longer as it was told. */
  tellStale(what: ServerEvents["stale"]["what"][number]): void {
    for (const { stream } of this.#open.values()) {
      const waiting = stream.waiting("stale", "stale")?.data.what ?? [];
      stream.push("stale", { name: "stale", data: { what: [...new Set([...waiting, what])] } });
    }
  }
}

function mergedSessions(
  stream: EventStream,
  now: ServerEvents["sessions"],
): { name: "sessions"; data: ServerEvents["sessions"] } {
  const waiting = stream.waiting("sessions", "sessions")?.data;
  if (!waiting) return { name: "sessions", data: now };
  const keyOf = ({ project, sessionId }: { project: string; sessionId: string }): string =>
    `${project} ${sessionId}`;
  const changed = new Map([...waiting.changed, ...now.changed].map((session) => [keyOf(session), session]));
  const gone = new Map([...waiting.gone, ...now.gone].map((session) => [keyOf(session), session]));
  for (const key of gone.keys()) if (!now.changed.some((each) => keyOf(each) === key)) changed.delete(key);
  for (const session of now.changed) gone.delete(keyOf(session));
  return { name: "sessions", data: { changed: [...changed.values()], gone: [...gone.values()] } };
}
