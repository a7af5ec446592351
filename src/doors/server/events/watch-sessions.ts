import type { Runtime } from "../../../runtime/index.ts";
import type { SessionView } from "../../../runtime/views/session-view.ts";
import { sessionsLookMs, sessionsToldMax } from "../limits.ts";

export interface SessionChanges {
  changed: SessionView[];
  gone: { sessionId: string; project: string }[];
}

/** The newest sessions, looked at again and again as long as somebody listens: whichever client writes them. */
export class SessionWatch {
  readonly #aside: Runtime["aside"];
  readonly #listeners = new Set<(changes: SessionChanges) => void>();
  #known = new Map<string, { session: SessionView; json: string }>();
  #timer: NodeJS.Timeout | undefined;
  #isFirst = true;

  constructor(aside: Runtime["aside"]) {
    this.#aside = aside;
  }

  listen(listener: (changes: SessionChanges) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#look();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      // What happens while nobody listens is asked for by who comes next.
      this.#isFirst = true;
    };
  }

  async #look(): Promise<void> {
    const begun = performance.now();
    // A folder that cannot be read now may be readable at the next look.
    const page = await this.#aside.ask("sessions", { limit: sessionsToldMax }).catch(() => undefined);
    if (page && this.#listeners.size > 0) this.#compare(page.sessions);
    if (this.#listeners.size === 0) return;
    const tookMs = performance.now() - begun;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), Math.max(sessionsLookMs, 20 * tookMs));
  }

  #compare(sessions: readonly SessionView[]): void {
    const now = new Map(
      sessions.map((session) => [
        `${session.project} ${session.sessionId}`,
        { session, json: JSON.stringify(session) },
      ]),
    );
    const oldest = sessions.at(-1)?.updatedAt ?? "";
    const changed = [...now].filter(([key, { json }]) => this.#known.get(key)?.json !== json);
    // One that is only older than the last of the list has not gone.
    const gone = [...this.#known].filter(
      ([key, { session }]) =>
        !now.has(key) && (session.updatedAt > oldest || sessions.length < sessionsToldMax),
    );
    this.#known = now;
    if (this.#isFirst || changed.length + gone.length === 0) return void (this.#isFirst = false);
    const changes = {
      changed: changed.map(([, { session }]) => session),
      gone: gone.map(
        ([
          ,
          {
            session: { sessionId, project },
          },
        ]) => ({ sessionId, project }),
      ),
    };
    for (const listener of this.#listeners) listener(changes);
  }
}
