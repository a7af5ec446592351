import { fleetProgressMs } from "./limits.ts";
import type { ClaimedRun } from "./handle-run.ts";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";

/**
 * Tells the fleet how far an agent is: now and then, and at once what somebody waits for, a question or its answer. What an
 * earlier worker had counted is added.
 */
export class RunProgressLog {
  readonly #run: ClaimedRun;
  /** What the workers before this one had counted. */
  readonly before: { turns: number; toolUses: number; tokens: number };
  #latest: AgentProgress | undefined;
  #told: AgentProgress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<unknown> = Promise.resolve();

  constructor(run: ClaimedRun) {
    this.#run = run;
    const last = run.events.findLast(({ event }) => event.kind === "progress")?.event;
    const { turns = 0, toolUses = 0, tokens = 0 } = last?.kind === "progress" ? last.progress : {};
    this.before = { turns, toolUses, tokens };
  }

  show(progress: AgentProgress): void {
    this.#latest = {
      ...progress,
      turns: progress.turns + this.before.turns,
      toolUses: progress.toolUses + this.before.toolUses,
      tokens: progress.tokens + this.before.tokens,
    };
    const isAwaited = progress.needsInput?.requestId !== this.#told?.needsInput?.requestId;
    if (isAwaited) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), this.#told ? fleetProgressMs : 0);
  }

  /** Tells what was not told yet. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#latest !== this.#told) this.#tell();
    await this.#telling;
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [latest, before] = [this.#latest!, this.#told];
    this.#told = latest;
    const title = latest.needsInput?.title;
    const isNeedNew = title !== before?.needsInput?.title;
    // Who cannot tell it is fenced or without servers; the transcript says both.
    this.#telling = this.#telling
      .then(() => this.#run.append({ kind: "progress", progress: { ...latest } }))
      .then(() => (isNeedNew ? this.#run.showNeed(title) : undefined))
      .catch(() => {});
  }
}
