import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isWithoutProc } from "../../test/support/other-machine.ts";
import { tempDir, waitFor } from "../../test/support/index.ts";
import { currentProcess, startTimeOf } from "./process-identity.ts";
import { lookAtProcesses } from "./process-table.ts";

// Run by test/portable/without-proc.test.ts on a machine that has no /proc.
describe.runIf(isWithoutProc)("lookAtProcesses() without /proc", () => {
  test("tells parent, group and start of a process", async () => {
    const child = await start("exec sleep 1000");
    expect(lookAtProcesses().read(child.pid!)).toEqual({
      pid: child.pid,
      name: "sleep",
      parent: process.pid,
      group: child.pid,
      session: undefined,
      startTime: startBySh(child.pid!),
    });
    expect(startTimeOf(child.pid!)).toBe(startBySh(child.pid!));
  });

  test("tells variables from arguments", async () => {
    const child = await start(`exec sh -c 'sleep 1000; :' GIVEN=argument`, { GIVEN: "variable" });
    const environment = lookAtProcesses().environment(child.pid!);
    expect(environment).toContain("\0GIVEN=variable\0");
    expect(environment).not.toContain("GIVEN=argument");
    expect(lookAtProcesses().command(child.pid!)).toContain("sleep 1000; : GIVEN=argument");
  });

  test("finds the files that a process may write to, whatever they are called, and its folder", async () => {
    const dir = path.join(fs.realpathSync(tempDir()), "föhn wind");
    fs.mkdirSync(dir);
    const child = await start(`cd '${dir}'; : > b.output; exec sleep 1000 > a.output 3< b.output`);
    const table = lookAtProcesses();
    expect(table.writableFiles(child.pid!, ".output")).toEqual([path.join(dir, "a.output")]);
    expect(table.workingDir(child.pid!)).toBe(dir);
  });

  test("names the same process after the clock was set", () => {
    const offset = path.join(process.env["HOLDFAST_TEST_MACHINE"]!, "clock-offset");
    const bootTime = (): string => execFileSync("sysctl", ["-n", "kern.boottime"], { encoding: "utf8" });
    const [before, bootBefore] = [startTimeOf(process.pid), bootTime()];
    onTestFinished(() => fs.writeFileSync(offset, "0\n"));
    fs.writeFileSync(offset, "7200\n");
    expect(bootTime()).not.toBe(bootBefore);
    expect(startTimeOf(process.pid)).toBe(before);
    expect(currentProcess()).toMatchObject({
      startTime: before,
      bootId: execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim(),
      pidNamespace: "",
    });
  });
});

// As the supervisor computes it.
function startBySh(pid: number): string {
  const script = `LC_ALL=C TZ=UTC0 ps -o lstart= -p ${pid} | sed 's/^ *//; s/ *$//; s/  */-/g'`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).trim();
}

// Resolves when it has become what it runs.
async function start(command: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn("sh", ["-c", command], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: "ignore",
  });
  onTestFinished(async () => {
    process.kill(-child.pid!, "SIGKILL");
    await waitFor(() => child.signalCode !== null);
  });
  await waitFor(() => /^(?:sh -c )?sleep 1000/.test(lookAtProcesses().command(child.pid!)));
  return child;
}
