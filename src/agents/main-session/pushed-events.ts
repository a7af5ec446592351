import type { RunnerEnd, RunnerEvent } from "../../tasks/ports.ts";

/** Events that one side pushes and the other pulls. */
export interface PushedEvents {
  readonly events: AsyncGenerator<RunnerEvent, RunnerEnd>;
  /** Resolves once the event was taken and the next one is asked for: what it told is recorded then. */
  push: (event: RunnerEvent) => Promise<void>;
  /** No more events; with an error, because of it. */
  end: (error?: Error) => void;
}

export function pushedEvents(): PushedEvents {
  const queue: { event: RunnerEvent; taken: () => void; refused: (error: Error) => void }[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  let failure: Error | undefined;
  async function* pull(): AsyncGenerator<RunnerEvent, RunnerEnd> {
    try {
      for (;;) {
        const next = queue.shift();
        if (next) {
          yield next.event;
          next.taken();
          continue;
        }
        if (failure) throw failure;
        if (isOver) return { reason: "done" };
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      isOver = true;
      for (const { refused } of queue.splice(0))
        refused(new Error("Cannot record event: the session has ended"));
    }
  }
  return {
    events: pull(),
    push: (event) =>
      new Promise((taken, refused) => {
        if (isOver) return refused(new Error("Cannot record event: the session has ended"));
        queue.push({ event, taken, refused });
        wake?.();
      }),
    end(error) {
      isOver = true;
      failure = error;
      wake?.();
    },
  };
}
