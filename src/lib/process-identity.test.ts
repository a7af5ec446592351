import { spawn } from "node:child_process";
import fs from "node:fs";
import { expect, test } from "vitest";
import { waitFor } from "../../test/support/index.ts";
import { procTable } from "./proc-table.ts";
import { currentProcess, livenessOf, startTimeOf, type ProcessIdentity } from "./process-identity.ts";

// Above every pid that Linux gives out (2^22), so no process ever has it.
const PID_OF_NOBODY = 4_194_999;

test("livenessOf() says alive for this very process", () => {
  expect(currentProcess()).toEqual({
    pid: process.pid,
    startTime: expect.stringMatching(/./),
    bootId: expect.stringMatching(/./),
    host: expect.stringMatching(/./),
    pidNamespace: expect.any(String),
  });
  expect(livenessOf(currentProcess())).toBe("alive");
});

test.each<[string, Partial<ProcessIdentity>, string]>([
  ["the pid was given to another process (its start time differs)", { startTime: "1" }, "dead"],
  ["no process has the pid", { pid: PID_OF_NOBODY }, "dead"],
  ["the machine was started again", { bootId: "another-boot" }, "dead"],
  ["the machine was renamed", { host: "another.name" }, "alive"],
  ["the machine was renamed and the process has ended", { host: "another.name", startTime: "1" }, "dead"],
  [
    "it ran on another host, or on this one under another name before it booted",
    { host: "b", bootId: "b" },
    "unknown",
  ],
  ["it runs in another container", { pidNamespace: "pid:[1]" }, "unknown"],
  ["it runs in a container with a name of its own", { host: "b", pidNamespace: "pid:[1]" }, "unknown"],
])("livenessOf() answers when %s", (_case, changed, liveness) => {
  expect(livenessOf({ ...currentProcess(), ...changed })).toBe(liveness);
});

test("startTimeOf() follows a child from its start to its end, even while nobody has reaped it", async () => {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const identity = { ...currentProcess(), pid: child.pid!, startTime: startTimeOf(child.pid!)! };
  expect(livenessOf(identity)).toBe("alive");
  child.kill("SIGKILL");
  // Looked at without a turn of the event loop, so the child cannot have been reaped yet.
  const giveUpAt = performance.now() + 5000;
  while (startTimeOf(child.pid!) !== undefined && performance.now() < giveUpAt);
  expect(livenessOf(identity)).toBe("dead");
  await waitFor(() => child.signalCode !== null);
  expect(startTimeOf(child.pid!)).toBeUndefined();
});

test.runIf(procTable.pids().length > 0)(
  "startTimeOf() reads past a command name with spaces and parentheses",
  async () => {
    const script = 'process.title = ") R 1 1 ("; process.stdout.write("ready"); process.stdin.resume();';
    const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await waitFor(() => fs.readFileSync(`/proc/${child.pid}/stat`, "latin1").includes(") R 1 1 ("));
    expect(Number(startTimeOf(child.pid!))).toBeGreaterThan(Number(currentProcess().startTime));
    child.kill("SIGKILL");
    await waitFor(() => child.signalCode !== null);
  },
);
