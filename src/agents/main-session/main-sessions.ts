import { taskError } from "../../tasks/errors.ts";
import type { MainSession } from "./main-session.ts";

/** The main sessions of this process that have not ended. At most one of them is in the foreground. */
export class MainSessions {
  readonly #sessions = new Map<string, MainSession>();

  add(session: MainSession): void {
    const { id } = session.task.record;
    this.#sessions.set(id, session);
    const forget = (): void => void this.#sessions.delete(id);
    session.result.then(forget, forget);
  }

  list(): MainSession[] {
    return [...this.#sessions.values()];
  }

  /** Brings one to the front and returns the one that was there, which goes back to the background. */
  bringToFront(id: string): MainSession | undefined {
    const session = this.#sessions.get(id);
    if (!session)
      throw taskError("task_not_found", `Cannot bring task "${id}" to the front: it is none of this process`);
    const before = this.list().find((each) => each.isForeground && each !== session);
    before?.setForeground(false);
    session.setForeground(true);
    return before;
  }
}
