import { describe, expect, test } from "vitest";
import { anthropicRunner } from "../../src/agents/runners/anthropic/index.ts";
import { answerEventBytesMax } from "../../src/agents/runners/anthropic/api/limits.ts";
import type { AgentLimits } from "../../src/tasks/kinds/agent/agent-settings.ts";
import { play, runnerRequest } from "../support/runner-request.ts";
import { basicEnv, taskWorld, type TaskWorld } from "../support/task-world.ts";
import { tempDir } from "../support/temp-dir.ts";
import { send, sendToolUse, start, startHostileServer, usage, type HostileServer } from "./hostile-server.ts";

// What an agent may use, against servers that would make it use more.

const model = "claude-opus-4-6";
const world = (): TaskWorld => taskWorld({ env: { ...basicEnv, ANTHROPIC_API_KEY: "key" } });

async function runAgainst(
  server: HostileServer,
  given: { limits: AgentLimits; model?: string },
): Promise<{ reason: unknown; error: unknown; place: TaskWorld }> {
  const place = world();
  const runner = { name: "anthropic" as const, baseUrl: server.url };
  const request = { prompt: "Go", cwd: place.cwd, runner, permission: "allow" as const, model, ...given };
  const task = await place.agents.start(request);
  const { state } = await place.ended(task);
  const { error } = (await place.tasks.output(task, { by: "test" })) as { error?: string };
  return { reason: "reason" in state ? state.reason : undefined, error, place };
}

describe("a server that sends the same id for ever", () => {
  test.each([
    [{ maxTurns: 5 }, "turns", [5, 5]],
    // Each costs 1,100 tokens; what one more could cost is not there any more.
    [{ maxTokens: 50_000 }, "tokens", [3, 45]],
    [{ maxCostUsd: 0.5 }, "cost", [3, 67]],
  ] as const)("gets no more than %j out of an agent", async (limits, reason, [requestsMin, requestsMax]) => {
    await using server = await startHostileServer((response) =>
      sendToolUse(response, "Read", { file_path: "x" }),
    );
    const ended = await runAgainst(server, { limits });
    await using _ = ended.place;
    expect(ended.reason).toBe(reason);
    expect(server.count()).toBeLessThanOrEqual(requestsMax);
    expect(server.count()).toBeGreaterThanOrEqual(requestsMin);
  });

  test("gets no more out of a tree of agents than out of one", async () => {
    await using server = await startHostileServer((response) =>
      sendToolUse(response, "Task", { description: "More", prompt: "Go", run_in_background: true }),
    );
    const ended = await runAgainst(server, { limits: { maxTurns: 7 } });
    await using place = ended.place;
    for (let open = await place.tasks.list(); open.length > 0; open = await place.tasks.list())
      await Promise.all(open.map((task) => place.ended(task)));
    expect((await place.agents.list()).length).toBeGreaterThan(3);
    expect(server.count()).toBe(7);
  });

  test("is paid for answers that broke off, too", async () => {
    await using server = await startHostileServer((response) => {
      send(response, start);
      response.write(": cut\n\n", () => response.destroy());
    });
    const { request } = runnerRequest({ prompt: "Go", cwd: tempDir(), model });
    const spent: unknown[] = [];
    const taken: boolean[] = [];
    const counted = {
      ...request,
      takeRequest: async ({ isRetry }: { isRetry: boolean }) => {
        taken.push(isRetry);
        return { answerTokensMax: 100 };
      },
    };
    const options = { apiKey: "key", baseUrl: server.url, delay: async () => {} };
    await play(anthropicRunner(options), counted, {
      onEvent: (event) => void (event.kind === "spent" && spent.push(event)),
    });
    expect(taken).toEqual([false, ...Array.from({ length: 10 }, () => true)]);
    expect(spent).toEqual(taken.map(() => ({ kind: "spent", model, usage })));
    expect(server.asked.every(({ max_tokens }) => max_tokens === 100)).toBe(true);
  });
});

describe("a limit of cost", () => {
  test("ends an agent before its first request when nobody knows what the model costs", async () => {
    await using server = await startHostileServer((response) =>
      sendToolUse(response, "Read", { file_path: "x" }),
    );
    const ended = await runAgainst(server, { limits: { maxCostUsd: 1 }, model: "made-up-model" });
    await using _ = ended.place;
    expect(ended.reason).toBe("cost");
    expect(ended.error).toBe(
      'the price of model "made-up-model" is not known, so the limit of $1 cannot be kept; use another model, or limit turns or tokens',
    );
    expect(server.count()).toBe(0);
  });
});

describe("a stream without an end", () => {
  const runAt = async (server: HostileServer): Promise<{ error: unknown; grownBytes: number }> => {
    const { request } = runnerRequest({ prompt: "Go", cwd: tempDir(), model });
    const before = process.memoryUsage().rss;
    let grownBytes = 0;
    const options = {
      apiKey: "key",
      baseUrl: server.url,
      delay: () => Promise.reject(new Error("no retry")),
    };
    const timer = setInterval(() => {
      grownBytes = Math.max(grownBytes, process.memoryUsage().rss - before);
    }, 20);
    const { error } = await play(anthropicRunner(options), request);
    clearInterval(timer);
    return { error, grownBytes };
  };

  test.each([4_294_967_290, -1, 0.5, 1, "__proto__", "length"])(
    "with a block %j does not stop the host",
    async (index) => {
      await using server = await startHostileServer((response) => {
        const content_block = { type: "text", text: "x" };
        send(response, start, { type: "content_block_start", index, content_block });
        send(response, { type: "message_stop" });
        response.end();
      });
      expect((await runAt(server)).error).toMatchObject({ message: "no retry" });
    },
  );

  const flood = async (server: { line: string; head: string }): Promise<HostileServer> =>
    startHostileServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(server.head);
      for (let sent = 0; sent < 300 * 1024 * 1024 && !response.destroyed; sent += server.line.length)
        if (!response.write(server.line))
          await new Promise((resolve) => void response.once("drain", resolve).once("close", resolve));
      response.end();
    });

  test.each([
    ["one line", { head: "data: ", line: "x".repeat(1 << 20) }],
    ["one event of many lines", { head: "event: ping\n", line: `data: ${"x".repeat(1 << 20)}\n` }],
  ])("of %s is given up before it fills the memory", async (_, lines) => {
    await using server = await flood(lines);
    const { grownBytes } = await runAt(server);
    expect(grownBytes).toBeLessThan(answerEventBytesMax * 32);
  });

  test("of small blocks is given up, too", async () => {
    let index = 0;
    await using server = await startHostileServer(async (response) => {
      send(response, start);
      const content_block = { type: "text", text: "" };
      while (!response.destroyed && index < 100_000) {
        send(response, { type: "content_block_start", index: index++, content_block });
        if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect((await runAt(server)).error).toMatchObject({ message: "no retry" });
    expect(index).toBeLessThan(100_000);
  });
});
