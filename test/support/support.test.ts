import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { acquireLease } from "../../src/lib/lease.ts";
import { readConversation } from "../../src/store/read/conversation.ts";
import { failingFileOps, fakeClock, sampleSession, tempDir, waitFor } from "./index.ts";
import { findLeaks, snapshotProcess } from "./leaks.ts";

test("findLeaks() names the child, the descriptor and the lease that a test left behind", async () => {
  const dir = tempDir();
  const before = snapshotProcess();
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  const fd = fs.openSync(path.join(dir, "open"), "w");
  const lease = acquireLease(path.join(dir, "x.lease"), { subject: "s" });

  const leaks = await findLeaks(before, { dirs: [dir], graceMs: 100 });

  expect(leaks).toEqual([
    `child process ${child.pid} (sleep 60)`,
    `descriptor ${fd} (${path.join(dir, "open")})`,
    `lease ${path.join(dir, "x.lease")}`,
  ]);
  await waitFor(() => child.signalCode === "SIGKILL");
  fs.closeSync(fd);
  lease.release();
  expect(await findLeaks(before, { dirs: [dir], graceMs: 3000 })).toEqual([]);
});

test("failingFileOps() fails the nth call of its kind and no other", () => {
  const file = path.join(tempDir(), "file");
  const { files, calls } = failingFileOps(2, { call: "write", error: "ENOSPC" });
  const fd = files.openSync(file, "w");
  expect(files.writeSync(fd, "one\n")).toBe(4);
  expect(() => files.writeSync(fd, "two\n")).toThrow("ENOSPC: injected into write number 2");
  expect(files.writeSync(fd, "three\n")).toBe(6);
  files.closeSync(fd);
  expect([fs.readFileSync(file, "utf8"), calls()]).toEqual(["one\nthree\n", 3]);
});

test("failingFileOps() writes half, then fails, when the write is to be short", () => {
  const file = path.join(tempDir(), "file");
  const { files } = failingFileOps(1, { call: "write", error: "EIO", short: true });
  const fd = files.openSync(file, "w");
  const bytes = Buffer.from("abcdef");
  expect(files.writeSync(fd, bytes, 0, 6)).toBe(3);
  expect(() => files.writeSync(fd, bytes, 3, 3)).toThrow("EIO");
  files.closeSync(fd);
  expect(fs.readFileSync(file, "utf8")).toBe("abc");
});

test("fakeClock() stands still until it is moved", () => {
  const clock = fakeClock("2026-01-01T00:00:00.000Z");
  clock.advance(1500);
  expect([clock.now().toISOString(), clock.now().toISOString()]).toEqual([
    "2026-01-01T00:00:01.500Z",
    "2026-01-01T00:00:01.500Z",
  ]);
});

test("sampleSession() makes the same bytes each time, and a conversation without gaps", async () => {
  const { path: file } = sampleSession({ rounds: 2 }).write(tempDir());
  expect(fs.readFileSync(file, "utf8")).toBe(sampleSession({ rounds: 2 }).jsonl());
  const { gaps, rejections, entries } = await readConversation(file);
  expect({ gaps, rejections }).toEqual({ gaps: [], rejections: [] });
  expect(entries.length).toBeGreaterThan(20);
});
