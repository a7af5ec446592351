import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { reckon } from "../../test/compat/reckoning.ts";
import { requireSharedCorpus, sampleSession, threadCount } from "../../test/support/index.ts";
import { answerLines as answer, usageWorld, type UsageWorld } from "../../test/support/usage-world.ts";
import type { UsageGrouping, UsageOptions } from "./index.ts";

const prices = { "claude-opus-4-6": { input: 1, output: 10, cacheWrite5m: 2, cacheRead: 0.1 } };

const world = (): UsageWorld => usageWorld({ prices });

const at = (timestamp: string) => (line: object) => ({ ...line, timestamp, isSidechain: false });

const nothing = {
  cacheCreationTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  unpricedMessages: 0,
  placeholderMessages: 0,
};

describe("reportUsage()", () => {
  test("counts a message once across split lines, forks and copies, with its largest counts", async () => {
    const w = world();
    const lines = answer("1", [1, 5, 30]).map(at("2026-03-01T10:00:00.000Z"));
    w.write("-p/one.jsonl", lines);
    w.write("-p/fork.jsonl", [...lines.slice(0, 2), ...answer("2", [7]).map(at("2026-03-02T10:00:00.000Z"))]);
    const { rows, totals } = await w.report("day");
    expect(rows.map(({ key, messages, outputTokens }) => [key, messages, outputTokens])).toEqual([
      ["2026-03-01", 1, 30],
      ["2026-03-02", 1, 7],
    ]);
    expect(totals).toEqual({
      ...nothing,
      messages: 2,
      inputTokens: 20,
      outputTokens: 37,
      cacheReadTokens: 2000,
      costUsd: (20 + 370 + 200) / 1e6,
    });
  });

  test("groups by project, model, session and agent, dearest first", async () => {
    const w = world();
    const session = sampleSession({ cwd: "/one" }).write(w.configDir);
    w.write("-two/b.jsonl", answer("b", [9000], { model: "other" }).map(at("2026-03-01T10:00:00.000Z")));
    const keys = async (by: UsageGrouping): Promise<string[]> =>
      (await w.report(by)).rows.map(({ key }) => key);
    expect(await keys("project")).toEqual([session.projectKey, "-two"]);
    expect(await keys("model")).toEqual(["claude-opus-4-6", "other"]);
    expect(await keys("session")).toEqual([session.sessionId, "b"]);
    expect(await keys("agent")).toHaveLength(2);
    expect((await w.report("model")).rows[1]).toMatchObject({ costUsd: null, unpricedMessages: 1 });
  });

  test("gives a task the messages that its transcript got while it was the last to start", async () => {
    const w = world();
    const file = w.write("-p/s.jsonl", [
      ...answer("1", [1]).map(at("2026-03-01T10:00:00.000Z")),
      ...answer("2", [2]).map(at("2026-03-01T12:00:00.000Z")),
    ]);
    w.write("-p/s/subagents/agent-a1.jsonl", answer("3", [3]).map(at("2026-03-01T10:00:00.000Z")));
    w.write("-p/t.jsonl", answer("4", [4]).map(at("2026-03-01T10:00:00.000Z")));
    const tasks = [
      { taskId: "second", path: file, startedAt: "2026-03-01T11:00:00.000Z" },
      { taskId: "first", path: file, startedAt: "2026-03-01T09:00:00.000Z" },
    ];
    const { rows } = await w.report("task", { tasks });
    expect(rows.map(({ key, outputTokens }) => [key, outputTokens])).toEqual([
      ["none", 4],
      ["a1", 3],
      ["second", 2],
      ["first", 1],
    ]);
  });

  test("splits cache writes by how long they last, and takes a missing sum from the split", async () => {
    const w = world();
    const split = { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 100 };
    w.write("-p/s.jsonl", [
      ...answer("1", [1], { cache_creation_input_tokens: 0, cache_creation: split }),
      ...answer("2", [1], { cache_creation_input_tokens: 40 }),
    ]);
    expect((await w.report("day")).rows).toMatchObject([
      {
        key: "unknown",
        cacheCreationTokens: 145,
        cacheCreation5mTokens: 45,
        cacheCreation1hTokens: 100,
      },
    ]);
  });

  test("marks counts that are only the placeholder of a stream, and leaves made-up answers out", async () => {
    const w = world();
    const text = "long answer ".repeat(50);
    w.write("-p/s.jsonl", [
      ...answer("placeholder", [1, 2], { stop: null, text }),
      ...answer("short", [2], { stop: null }),
      ...answer("final", [2, 150], { text }),
      ...answer("none", [0], { model: "<synthetic>" }),
    ]);
    expect((await w.report("day")).totals).toMatchObject({ messages: 3, placeholderMessages: 1 });
  });

  test("cuts at days and at moments", async () => {
    const w = world();
    const moments = ["2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z", "2026-03-03T12:00:00.000Z"];
    w.write(
      "-p/s.jsonl",
      moments.flatMap((moment, index) => answer(String(index), [1]).map(at(moment))),
    );
    const days = async (options: Partial<UsageOptions>): Promise<string[]> =>
      (await w.report("day", options)).rows.map(({ key }) => key.slice(-2));
    expect(await days({ since: new Date("2026-03-02T00:00:00Z") })).toEqual(["02", "03"]);
    expect(await days({ until: new Date("2026-03-02T23:59:59.999Z") })).toEqual(["01", "02"]);
    expect(await days({ since: new Date("2026-03-03T12:00:01Z") })).toEqual([]);
    expect(await days({ since: new Date("2026-03-01T23:59:59Z"), until: new Date("2026-03-02") })).toEqual([
      "01",
      "02",
    ]);
  });

  test("tells the truth again after a file grew, was rewritten, or is gone", async () => {
    const w = world();
    const output = async (): Promise<number> => (await w.report("day")).totals.outputTokens;
    expect(await output()).toBe(0);
    const file = w.write("-p/s.jsonl", answer("1", [1]));
    w.write("-p/t.jsonl", answer("2", [2]));
    expect(await output()).toBe(3);
    fs.appendFileSync(file, `${JSON.stringify(answer("1", [10])[0])}\n{"type":"assistant","mess`);
    expect(await output()).toBe(12);
    fs.appendFileSync(file, `\n${JSON.stringify(answer("3", [100])[0])}`);
    expect(await output()).toBe(112);
    w.write("-p/s.jsonl", answer("4", [1000]));
    expect(await output()).toBe(1002);
    fs.rmSync(file);
    expect(await output()).toBe(2);
    fs.writeFileSync(path.join(w.home, "index", "index.db"), "damaged");
    expect(await output()).toBe(2);
  });

  test("tells the same of what it has kept, whatever the first report was of", async () => {
    for (const first of ["day", "session"] as const) {
      const w = world();
      sampleSession({ rounds: 5 }).write(w.configDir);
      w.write("-p/s.jsonl", [...answer("1", [1]), ...answer("2", [20], { model: "claude-haiku-4-5" })]);
      const groupings = ["day", "model", "project", "session", "agent"] as const;
      await w.report(first);
      for (const by of groupings) {
        const kept = await w.report(by);
        fs.rmSync(path.join(w.home, "index"), { recursive: true });
        expect([by, kept]).toEqual([by, await w.report(by)]);
      }
    }
  });

  test("counts much on several threads, which are gone afterwards, also when it is stopped or has kept it all", async () => {
    const w = world();
    const text = "x".repeat(10_000);
    const files = Array.from({ length: 30 }, (_, i) => i);
    for (const file of files)
      w.write(
        `-p${file % 3}/${file}.jsonl`,
        files.flatMap((message) => answer(`${file} ${message}`, [1, 2, 3], { text })),
      );
    const before = threadCount();
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error("enough"));
    await expect(w.report("day", { signal: controller.signal, onProgress })).rejects.toThrow("enough");
    expect(threadCount()).toBe(before);
    const { totals } = await w.report("day");
    expect([totals.messages, totals.outputTokens]).toEqual([900, 2700]);
    expect(threadCount()).toBe(before);
    fs.rmSync(path.join(w.home, "index"), { recursive: true });
    expect((await w.report("day")).totals).toEqual(totals);
    expect(threadCount()).toBe(before);
  });

  test("equals the slow reckoning of a session", async () => {
    const w = world();
    const session = sampleSession({ rounds: 5 }).write(w.configDir);
    const { usage } = reckon(session.path);
    const mine = (await w.report("agent")).rows.find(({ key }) => key === "main");
    expect(mine).toMatchObject(usage);
  });

  test("equals an independent reckoning of the real transcripts", { timeout: 120_000 }, async (context) => {
    const corpus = requireSharedCorpus(context);
    const w = world();
    const copies = fs
      .readdirSync(corpus, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name, index) => {
        const to = path.join(w.configDir, "projects", "-corpus", `${index}.jsonl`);
        fs.mkdirSync(path.dirname(to), { recursive: true });
        fs.symlinkSync(path.join(corpus, name), to);
        return to;
      });
    const messages = new Map<string, number[]>();
    for (const file of copies) countSlowly(file, messages);
    const sum = (index: number): number =>
      [...messages.values()].reduce((total, row) => total + row[index]!, 0);
    expect((await w.report("model")).totals).toMatchObject({
      messages: messages.size,
      inputTokens: sum(0),
      outputTokens: sum(1),
      cacheCreationTokens: sum(2),
      cacheReadTokens: sum(3),
    });
  });
});

/** Every line parsed, every message by its ids: shares no code with the product. */
function countSlowly(file: string, messages: Map<string, number[]>): void {
  fs.readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, index) => {
      let entry;
      try {
        entry = JSON.parse(line) as Record<string, any>; // eslint-disable-line typescript/no-explicit-any -- raw JSON, looked at without the product's types
      } catch {
        return;
      }
      const { message, requestId } = entry;
      const usage = message?.usage;
      if (entry["type"] !== "assistant" || !usage || message.model === "<synthetic>") return;
      const nested = Object.values((usage.cache_creation ?? {}) as Record<string, number>);
      const row = [
        usage.input_tokens ?? 0,
        usage.output_tokens ?? 0,
        Math.max(
          usage.cache_creation_input_tokens ?? 0,
          nested.reduce((total, value) => total + value, 0),
        ),
        usage.cache_read_input_tokens ?? 0,
      ];
      const key = message.id === undefined ? `${file} ${index}` : `${message.id} ${requestId}`;
      const largest = (of: string, counts: number[]): void => {
        const before = messages.get(of) ?? counts;
        messages.set(
          of,
          counts.map((value, column) => Math.max(value, before[column]!)),
        );
      };
      largest(key, row);
      // An advisor that was asked for it is no part of its counts.
      (usage.iterations ?? []).forEach((asked: Record<string, number | string>, place: number) => {
        if (asked["type"] !== "advisor_message") return;
        const names = [
          "input_tokens",
          "output_tokens",
          "cache_creation_input_tokens",
          "cache_read_input_tokens",
        ];
        largest(
          `${key} ${place}`,
          names.map((name) => Number(asked[name] ?? 0)),
        );
      });
    });
}
