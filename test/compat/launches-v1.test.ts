import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { launchesSince } from "../../src/recovery/launches-since.ts";
import { recover } from "../../src/recovery/recover.ts";
import type { Recovery } from "../../src/recovery/recovery.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A home as the first version left it that wrote these lines. Its clients ran on a machine that cannot be looked at. */
function frozenHome(name: string): string {
  const home = path.join(tempDir(), "home");
  fs.cpSync(fileURLToPath(new URL(`data/${name}`, import.meta.url)), home, { recursive: true });
  return home;
}

function recoverFrom(home: string, sessionId?: string): Recovery {
  const clock = { now: () => new Date("2026-11-18T23:00:00.000Z") };
  return recover({ home, configDir: tempDir(), clock, projectDir: "/project", sessionId, withSeen: true });
}

test("work that another client has taken over is that client's, and one launch", () => {
  const home = frozenHome("taken-over-v1");
  const [first, second] = ["5e551000-0000-4000-8000-00000000000a", "5e551000-0000-4000-8000-00000000000b"];
  const id = "a0123456789abcdef";
  const { running, duplicates } = recoverFrom(home);
  expect(running).toEqual([
    {
      id,
      kind: "local_agent",
      owner: "client",
      agentType: "Explore",
      description: "Judge the style",
      prompt: expect.stringMatching(/^You are one of two judges\./),
      cwd: "/project",
      machine: "gone",
      sessionId: second,
      status: "running",
      startedAt: "2026-11-18T22:00:00.000Z",
      outputFile: `/tmp/claude-0/-project/${first}/tasks/${id}.output`,
      fingerprint: "5c014970734f53c9",
      branch: "main",
      model: "claude-opus-5-5",
      isLeftToClient: true,
      isUnseen: true,
      knownBy: ["manifest", "client pid 4343"],
      seenBy: [],
    },
  ]);
  expect(duplicates).toEqual([]);
  // Once both are gone, its end is told to the session that went on with it.
  const file = path.join(home, "projects", "-project", "background.jsonl");
  const end = { agent_id: id, session_id: second, cwd: "/project", source: "hook", status: "completed" };
  fs.appendFileSync(file, `${JSON.stringify({ ...end, timestamp: "2026-11-18T22:30:00.000Z" })}\n`);
  const seen = { ...end, status: "seen", timestamp: "2026-11-18T22:31:00.000Z" };
  expect(recoverFrom(home, second).finishedUnseen.map((item) => item.id)).toEqual([id]);
  fs.appendFileSync(file, `${JSON.stringify(seen)}\n`);
  for (const session of [first, second]) expect(recoverFrom(home, session).finishedUnseen).toEqual([]);
  expect(recoverFrom(home, second).seen.map((item) => item.id)).toEqual([id]);
});

test("every launch since a moment is listed, also of lines without a machine, put aside or compressed", () => {
  const home = frozenHome("launches-v2");
  const clock = { now: () => new Date("2026-11-21T12:00:00.000Z") };
  const listed = (since: string, projectDir?: string): unknown[] =>
    launchesSince({
      home,
      configDir: tempDir(),
      clock,
      tempDirs: [tempDir()],
      since: new Date(since),
      projectDir,
    })
      .filter(({ cwd }) => cwd === "/project")
      .map(({ id, status, machine, prompt }) => [id, status, machine, prompt]);
  // As a copy of a folder may give them other times.
  for (const [name, day] of [
    ["background-2026-11-18.jsonl.zst", "2026-11-18"],
    ["background-2026-11-19.20261119T120000000Z.jsonl", "2026-11-19"],
    ["background-2026-11-19.jsonl", "2026-11-19"],
  ] as const)
    fs.utimesSync(
      path.join(home, "manifests", name),
      new Date(`${day}T23:00:00Z`),
      new Date(`${day}T23:00:00Z`),
    );
  const agent = ["a0123456789abcde2", "completed", "workhorse", "Judge the second"];
  const rerun = ["a0123456789abcde2", "lost", "workhorse", "Judge it again"];
  const task = ["b0removed", "removed", "workhorse", "echo gone"];
  const old = ["b0old0000", "completed", "gone", "echo old"];
  expect(listed("2026-11-18T00:00:00Z")).toEqual([rerun, task, agent, old]);
  expect(listed("2026-11-19T00:00:00Z")).toEqual([rerun, task, agent]);
  expect(listed("2026-11-20T00:00:00Z")).toEqual([]);
  expect(listed("2026-11-18T00:00:00Z", "/project")).toEqual([old]);
});

test("the same work is that of the same branch and model, in lines as in records", async () => {
  const home = frozenHome("same-work-v1");
  expect(recoverFrom(home).running).toHaveLength(4);
  expect(recoverFrom(home).duplicates).toEqual([
    {
      fingerprint: "5c014970734f53c9",
      description: "Judge the style",
      ids: expect.toSatisfy(
        (ids: string[]) => ids.toSorted().join() === "a00000000000000a1,a00000000000000a2",
      ),
    },
  ]);
  const { tasks } = openTestTasks({ home });
  const { record } = await tasks.find("b0same000");
  expect(record.work).toEqual({ fingerprint: "a2d645977aef25f6", branch: "main" });
});
