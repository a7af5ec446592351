import { anthropicRunner, type AnthropicRunnerOptions } from "../../src/agents/runners/anthropic/index.ts";
import type { ContentPart, RunnerEvent } from "../../src/tasks/ports.ts";
import { fakeClock } from "./fake-clock.ts";
import { startMessagesServer, type MessagesServer, type MessagesStep } from "./messages-server.ts";
import { play, runnerRequest, type Played, type RequestNotes } from "./runner-request.ts";
import { tempDir } from "./temp-dir.ts";

export type AnthropicRunGiven = Partial<Parameters<typeof runnerRequest>[0]> & {
  runner?: AnthropicRunnerOptions;
  signal?: AbortSignal;
  onEvent?: (event: RunnerEvent) => void | Promise<void>;
};

export interface AnthropicRun extends Played, RequestNotes {
  /** Closed by now; its requests are there. */
  server: MessagesServer;
  cwd: string;
  /** What the runner waited before its retries; none of it was real. */
  delaysMs: number[];
}

/** Plays the runner against a server that follows the script. */
export async function runAnthropic(
  script: MessagesStep[],
  { runner, signal, onEvent, ...given }: AnthropicRunGiven = {},
): Promise<AnthropicRun> {
  await using server = await startMessagesServer(...script);
  const cwd = given.cwd ?? tempDir();
  const notes = runnerRequest({ prompt: "Go", cwd, ...given });
  const delaysMs: number[] = [];
  const delay = (ms: number): Promise<void> => {
    delaysMs.push(ms);
    return Promise.resolve();
  };
  const fixed = { apiKey: "key", baseUrl: server.url, clock: fakeClock(), random: () => 1, delay };
  const played = await play(anthropicRunner({ ...fixed, ...runner }), notes.request, {
    ...(signal && { signal }),
    ...(onEvent && { onEvent }),
  });
  return { ...played, ...notes, server, cwd, delaysMs };
}

/** The parts of user messages: the results of tools. */
export function resultsIn(events: readonly RunnerEvent[]): ContentPart[] {
  return events.flatMap((event) =>
    event.kind === "user" && typeof event.message.content !== "string" ? event.message.content : [],
  );
}

export function textsIn(events: readonly RunnerEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.kind === "assistant" ? event.message.content.map((part) => part["text"]) : [],
  );
}
