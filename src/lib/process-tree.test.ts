import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir, waitFor } from "../../test/support/index.ts";
import { startTimeOf } from "./process-identity.ts";
import { endProcessTree } from "./process-tree.ts";

const marker = { name: "HOLDFAST_TEST_TREE", value: `${process.pid}-${Date.now()}` };

function start(script: string): ChildProcess {
  const env = { ...process.env, [marker.name]: marker.value };
  return spawn("sh", ["-c", script], { env, detached: true, stdio: "ignore" });
}

async function pidsIn(file: string, count: number): Promise<number[]> {
  const read = (): number[] =>
    fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [];
  return waitFor(() => (read().length === count ? read() : undefined));
}

test("endProcessTree() ends also what left the group and the parent", async () => {
  const file = path.join(tempDir(), "pids");
  const child = start(
    `echo $$ >> ${file}; setsid sh -c 'echo $$ >> ${file}; exec sleep 1000' & (sleep 1000 & echo $! >> ${file}); wait`,
  );
  const pids = await pidsIn(file, 3);
  await endProcessTree({ pid: child.pid!, marker }, { graceMs: 5000, deadlineMs: 10_000 });
  expect(pids.map(startTimeOf)).toEqual([undefined, undefined, undefined]);
});

test("endProcessTree() kills what does not obey, after the grace", async () => {
  const file = path.join(tempDir(), "pids");
  const child = start(`trap '' TERM; echo $$ >> ${file}; while :; do sleep 1000; done`);
  const pids = await pidsIn(file, 1);
  await endProcessTree({ pid: child.pid!, marker }, { graceMs: 50, deadlineMs: 10_000 });
  expect(pids.map(startTimeOf)).toEqual([undefined]);
  await waitFor(() => child.signalCode === "SIGKILL");
});
