import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { waitFor } from "../../test/support/wait-for.ts";
import { lookAtProcesses } from "./process-table.ts";
import { hasOpenInput } from "./open-input.ts";

// It does not read, so that it lives on when nothing more can come.
const program = ["-c", "sleep 1000"];

test("hasOpenInput() is true while somebody holds the other end, and false from then on", async () => {
  const child = spawn("sh", program, { stdio: ["pipe", "ignore", "ignore"] });
  expect(hasOpenInput(child.pid!)).toBe(true);
  child.stdin.destroy();
  await waitFor(() => !hasOpenInput(child.pid!));
  child.kill("SIGKILL");
});

test("hasOpenInput() of a shell's pipe is false when its writer has gone", async () => {
  const child = spawn("sh", ["-c", "cat | sleep 1000"], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const table = lookAtProcesses();
  const isReader = (pid: number): boolean => {
    const found = table.read(pid);
    return found?.group === child.pid && found?.name === "sleep";
  };
  const reader = await waitFor(() => table.pids().find(isReader));
  expect(hasOpenInput(reader)).toBe(true);
  child.stdin.end();
  await waitFor(() => !hasOpenInput(reader));
  process.kill(-child.pid!, "SIGKILL");
});

test("hasOpenInput() is false for /dev/null, and true where nothing is known", () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  expect(hasOpenInput(child.pid!)).toBe(false);
  child.kill("SIGKILL");
  expect(hasOpenInput(4_194_304)).toBe(true);
});
