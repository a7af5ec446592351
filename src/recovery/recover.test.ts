import { expect, test } from "vitest";
import { fakeClock, tempDir } from "../../test/support/index.ts";
import { deadProcess, endLine, launchLine, seenLine } from "../../test/support/manifest-lines.ts";
import { recoveredAgeMsMax, recoveredLaunchesMax } from "./limits.ts";
import { appendManifest } from "./append-manifest.ts";
import type { ManifestLine } from "./manifest-line.ts";
import { recover } from "./recover.ts";
import type { Recovery } from "./recovery.ts";

const now = new Date("2026-11-16T00:00:00Z");
const moment = (agoMs: number): string => new Date(now.getTime() - agoMs).toISOString();

async function recoverFrom(
  lines: ManifestLine[],
  options: { sessionId?: string; projectDir?: string; withSeen?: boolean } = {},
): Promise<Recovery> {
  const home = tempDir();
  await appendManifest({ home, projectDirs: ["/project"], now }, lines);
  return recover({
    home,
    configDir: tempDir(),
    clock: fakeClock(now.toISOString()),
    projectDir: "/project",
    ...options,
  });
}

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
const launch = (id: string, agoMs = 1000): ManifestLine =>
  launchLine({ agent_id: id, timestamp: moment(agoMs) });
const end = (id: string, agoMs = 500): ManifestLine => endLine({ agent_id: id, timestamp: moment(agoMs) });

test("recover() divides by what became of it, newest first", async () => {
  const gone = launchLine({ agent_id: "b0000gone", timestamp: moment(10), client: deadProcess });
  const found = await recoverFrom([
    launch("b00000old", 3000),
    launch("b00000new"),
    launch("b0000done"),
    end("b0000done"),
    gone,
  ]);
  expect([ids(found.running), ids(found.finishedUnseen), ids(found.lost)]).toEqual([
    ["b00000new", "b00000old"],
    ["b0000done"],
    ["b0000gone"],
  ]);
});

test("recover() leaves out endings older than a week, and launches beyond the newest that it looks at", async () => {
  const old = recoveredAgeMsMax + 1000;
  const found = await recoverFrom([
    launch("b00000old", old),
    end("b00000old", old),
    launch("b00000new"),
    end("b00000new"),
  ]);
  expect(ids(found.finishedUnseen)).toEqual(["b00000new"]);
  const many = Array.from({ length: recoveredLaunchesMax + 10 }, (_, index) =>
    launch(`b${10_000_000 + index}`),
  );
  expect((await recoverFrom(many)).running).toHaveLength(recoveredLaunchesMax);
});

test("recover() has what a session was told among what it has seen, and nothing of other projects", async () => {
  const lines = [
    launch("b0000done"),
    end("b0000done"),
    seenLine({ agent_id: "b0000done", session_id: "s-1" }),
  ];
  expect((await recoverFrom(lines, { sessionId: "s-1" })).seen).toEqual([]);
  const mine = await recoverFrom(lines, { sessionId: "s-1", withSeen: true });
  expect([ids(mine.finishedUnseen), ids(mine.seen)]).toEqual([[], ["b0000done"]]);
  const others = await recoverFrom(lines, { sessionId: "s-2", withSeen: true });
  expect([ids(others.finishedUnseen), ids(others.seen)]).toEqual([[], []]);
  expect(
    (await recoverFrom(lines, { projectDir: "/elsewhere", sessionId: "s-1", withSeen: true })).seen,
  ).toEqual([]);
});

test("recover() finds the same work twice, but never by a fingerprint that is not known", async () => {
  const twins = await recoverFrom([launch("b00000one"), launch("b00000two")]);
  expect(twins.duplicates).toEqual([
    {
      fingerprint: "0123456789abcdef",
      description: "Two lines",
      ids: expect.arrayContaining(["b00000one", "b00000two"]),
    },
  ]);
  const unknown = ["b00000one", "b00000two"].map((agent_id) => launchLine({ agent_id, fingerprint: "" }));
  expect((await recoverFrom(unknown)).duplicates).toEqual([]);
});
