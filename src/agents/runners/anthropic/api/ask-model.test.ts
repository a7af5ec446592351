import { describe, expect, test } from "vitest";
import { runAnthropic as run, textsIn } from "../../../../../test/support/anthropic-run.ts";
import { startMessagesServer, waitFor, type MessagesStep } from "../../../../../test/support/index.ts";
import { apiRetriesMax } from "./limits.ts";
import type { RunnerEvent } from "../../../../tasks/ports.ts";

const activities = (events: readonly RunnerEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "activity" ? [event.text] : []));
const half = (breaksOff: "cut" | "end" | "garbage" | { error: string }): MessagesStep => ({
  kind: "answer",
  content: ["Not to be told", { tool: "Bash", input: { command: "echo > ran" } }],
  breaksOff,
});

describe("askModel() asks again", () => {
  test.each<[string, MessagesStep, RegExp]>([
    ["the API is overloaded", { kind: "refuse", status: 529 }, /: the API is overloaded$/],
    ["it is overloaded inside the stream", half({ error: "overloaded_error" }), /: the API is overloaded$/],
    ["the API failed", { kind: "refuse", status: 500 }, /: the API failed \(500\)$/],
    ["it failed inside the stream", half({ error: "api_error" }), /: the API failed \(api_error\)$/],
    ["a gateway failed", { kind: "refuse", status: 503 }, /: the API failed \(503\)$/],
    ["the connection was cut", half("cut"), /: the answer broke off \(terminated\)$/],
    ["the stream ended too early", half("end"), /\(the stream ended before the message did\)$/],
    ["an event is no JSON", half("garbage"), /: the answer broke off \(.*JSON.*\)$/],
    ["the request timed out", { kind: "refuse", status: 408 }, /: the API said 408$/],
  ])("when %s, and tells nothing of the broken message", async (_case, step, words) => {
    const { events, end, delaysMs, server } = await run([step, step, "Here I am"]);
    expect(textsIn(events)).toEqual(["Here I am"]);
    expect(activities(events)).toEqual([
      expect.stringMatching(/^Repeating the request in 0\.5 s \(1 of 10\)/),
      expect.stringMatching(/^Repeating the request in 1\.0 s \(2 of 10\)/),
    ]);
    expect(activities(events)[0]).toMatch(words);
    expect(delaysMs).toEqual([500, 1000]);
    expect(server.requests[2]!.body).toEqual(server.requests[0]!.body);
    expect(end).toEqual({ reason: "done" });
  });

  test("when nobody answers the connection", async () => {
    const gone = await startMessagesServer();
    await gone.close();
    const { events, error, delaysMs } = await run([], { runner: { baseUrl: gone.url } });
    expect(activities(events)[0]).toMatch(/no connection \(connect ECONNREFUSED/);
    expect(delaysMs).toHaveLength(apiRetriesMax);
    expect(error).toMatchObject({
      code: "api_unavailable",
      retryable: true,
      message: expect.stringMatching(/^Cannot ask the model: connect ECONNREFUSED 127/),
    });
  });

  test.each<[string, MessagesStep, string]>([
    [
      "in the middle of an answer",
      { kind: "answer", content: ["Never"], until: new Promise(() => {}) },
      "the answer broke off (no byte for 0.1 s)",
    ],
    ["from the beginning", { kind: "hang" }, "no connection (Request timed out.)"],
  ])("when the server is silent %s", async (_case, silent, words) => {
    const { events, end } = await run([silent, "Here I am"], { runner: { silenceMsMax: 100 } });
    expect(activities(events)).toEqual([`Repeating the request in 0.5 s (1 of 10): ${words}`]);
    expect(end).toEqual({ reason: "done" });
  });

  test("and not when the stream is only slow", async () => {
    let goOn = (): void => {};
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { events, delaysMs } = await run([{ kind: "answer", content: ["Slow and steady"], until }], {
      onEvent: ({ kind }) => (kind === "delta" ? goOn() : undefined),
    });
    expect(textsIn(events)).toEqual(["Slow and steady"]);
    expect(delaysMs).toEqual([]);
  });

  test.each([
    ["in seconds", { "retry-after": "7" }, 7000],
    ["in milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    ["until a date", { "retry-after": "Fri, 02 Jan 2026 03:04:35 GMT" }, 30_000],
    ["not at all", { "retry-after": "soon" }, 500],
  ])("after what the server asks for %s", async (_case, headers, delayMs) => {
    const { events, delaysMs } = await run([{ kind: "refuse", status: 429, headers }, "Yes"]);
    expect(delaysMs).toEqual([delayMs]);
    expect(activities(events)[0]).toMatch(/: the rate limit is reached$/);
  });

  test("ever later, spread by chance, and not for ever", async () => {
    const busy = Array.from({ length: apiRetriesMax + 1 }, (): MessagesStep => ({
      kind: "refuse",
      status: 529,
      message: "Busy",
    }));
    const { delaysMs, error, server } = await run(busy, { runner: { random: () => 0 } });
    expect(delaysMs).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(server.stepsLeft).toBe(0);
    expect(error).toMatchObject({
      code: "api_unavailable",
      retryable: true,
      message: "Cannot ask the model: 529, Busy",
      fields: { status: 529 },
    });
  });

  test("counting anew for every message", async () => {
    const busy: MessagesStep = { kind: "refuse", status: 529 };
    const { delaysMs } = await run([busy, busy, "One", busy, "Two"], { said: [[], ["More?"]] });
    expect(delaysMs).toEqual([500, 1000, 500]);
  });
});

describe("askModel() gives up at once", () => {
  test.each<[number, Record<string, string>, object]>([
    [
      401,
      {},
      {
        code: "api_refused",
        retryable: false,
        message: "Cannot ask the model: 401, No; check ANTHROPIC_API_KEY",
      },
    ],
    [400, {}, { code: "api_refused", retryable: false, message: "Cannot ask the model: 400, No" }],
    [413, {}, { code: "api_refused", message: "Cannot ask the model: 413, No" }],
    [529, { "x-should-retry": "false" }, { code: "api_unavailable", retryable: true }],
    [429, { "retry-after": "3600" }, { code: "api_unavailable", retryable: true }],
  ])("after %i with %j", async (status, headers, expected) => {
    const { error, events, delaysMs } = await run([{ kind: "refuse", status, headers, message: "No" }]);
    expect(error).toMatchObject(expected);
    expect([events, delaysMs]).toEqual([[], []]);
  });
});

describe("askModel() ends at the signal", () => {
  const reason = new Error("enough");

  test.each<[string, MessagesStep]>([
    ["no answer has begun", { kind: "hang" }],
    ["an answer is under way", { kind: "answer", content: ["Half"], until: new Promise(() => {}) }],
  ])("while %s", async (_case, step) => {
    const stop = new AbortController();
    let isAsked = false;
    const asked: MessagesStep = () => {
      isAsked = true;
      return step as Exclude<MessagesStep, (...args: never[]) => unknown>;
    };
    const running = run([asked], { signal: stop.signal });
    await waitFor(() => isAsked);
    stop.abort(reason);
    const { error, events } = await running;
    expect(error).toBe(reason);
    expect(textsIn(events)).toEqual([]);
  });

  test("while it waits to ask again", async () => {
    const stop = new AbortController();
    const { error, server } = await run([{ kind: "refuse", status: 529 }, "Never"], {
      signal: stop.signal,
      runner: {
        delay: (_ms, signal) => {
          stop.abort(reason);
          return Promise.reject(signal.reason as Error);
        },
      },
    });
    expect(error).toBe(reason);
    expect(server.stepsLeft).toBe(1);
  });
});
