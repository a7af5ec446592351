import fs from "node:fs";
import { expect, test } from "vitest";
import { testHome, TranscriptBuilder } from "../../../test/support/index.ts";
import { openSessionStore } from "../open-session-store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const now = new Date("2026-03-01T00:00:00.000Z");

test("archive() takes what was last used longer ago, oldest first, and only says so in a dry run", async () => {
  const home = testHome();
  const session = (startedAt: string): TranscriptBuilder => {
    const builder = new TranscriptBuilder({ cwd: home.cwd, seed: startedAt, startedAt });
    builder.prompt("A question");
    builder.write(home.configDir);
    return builder;
  };
  const [older, old, young] = ["2026-01-01", "2026-01-20", "2026-02-20"].map((day) =>
    session(`${day}T00:00:00.000Z`),
  );
  const store = openSessionStore({ ...home, clock: { now: () => now } });
  const ids = (sessions: readonly { sessionId: string }[]): string[] =>
    sessions.map(({ sessionId }) => sessionId);

  const planned = await store.archive({ olderThanMs: 30 * dayMs, dryRun: true });
  expect([ids(planned.chosen), planned.archived, planned.skipped]).toEqual([
    [older!.sessionId, old!.sessionId],
    [],
    [],
  ]);
  expect(planned.chosen.every(({ path }) => fs.existsSync(path))).toBe(true);

  const done: number[] = [];
  const { chosen, archived } = await store.archive({
    olderThanMs: 30 * dayMs,
    onProgress: ({ doneBytes, totalBytes }) => done.push(doneBytes / totalBytes),
  });
  expect([chosen, ids(archived)]).toEqual([planned.chosen, ids(planned.chosen)]);
  expect(done.at(-1)).toBe(1);
  expect(ids((await store.list()).filter((each) => !each.archived))).toEqual([young!.sessionId]);
  expect((await store.archive({ olderThanMs: 30 * dayMs })).chosen).toEqual([]);

  const named = await store.list({ limit: 1 });
  expect(ids((await store.archive({ sessions: named })).archived)).toEqual([young!.sessionId]);
});
