import type { QueryEvents } from "./run-in-front.ts";

/** A query of a conversation, from the prompt to its end, in front or in the background. */
export interface RunningThread {
  prompt: string;
  abort: AbortController;
  /** Aborted to take it out of the foreground. */
  handOver: AbortController;
  /** Once it has left the foreground: the rest of it, when it was handed over. */
  left: Promise<QueryEvents | undefined>;
  leave: (rest: QueryEvents | undefined) => void;
  ended: Promise<void>;
  end: () => void;
  isHandedOver: boolean;
}

export function newRun(prompt: string): RunningThread {
  let leave: RunningThread["leave"] = () => {};
  let end: RunningThread["end"] = () => {};
  const left = new Promise<QueryEvents | undefined>((resolve) => (leave = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const [abort, handOver] = [new AbortController(), new AbortController()];
  return { prompt, abort, handOver, left, leave, ended, end, isHandedOver: false };
}
