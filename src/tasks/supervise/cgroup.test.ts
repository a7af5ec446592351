import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isWithoutProc } from "../../../test/support/other-machine.ts";
import { supervisorShells, taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { controlGroupOf } from "../../lib/control-group.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import type { Task } from "../record/task.ts";
import { startTask, supervisorVariables, type TaskStarter } from "./start-process.ts";
import { supervisorText } from "./supervisor-text.ts";

/** A group that stands for one that systemd has delegated; undefined where none can be made. */
const delegated = makeGroup();
if (delegated === undefined) process.stdout.write("skipped: no control group (v2) can be made here\n");

function makeGroup(): string | undefined {
  if (isWithoutProc) return undefined;
  for (const root of ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]) {
    const dir = path.join(root, `hf-test-${process.pid}`);
    try {
      if (!fs.existsSync(path.join(root, "cgroup.procs"))) continue;
      fs.mkdirSync(dir);
      return dir;
    } catch {
      /* Not there, or not ours. */
    }
  }
  return undefined;
}

afterAll(async () => {
  if (delegated !== undefined) await waitFor(() => isRemoved(delegated));
});

function isRemoved(dir: string): boolean {
  try {
    fs.rmdirSync(dir);
    return true;
  } catch {
    return false;
  }
}

/** Starts supervisors as a launcher in such a group does. */
function starterIn(group: string, shell: string): TaskStarter {
  return (request) =>
    startTask(request, async ({ args, cwd }, stdio) => {
      const script = `echo 0 > ${group}/cgroup.procs; ${supervisorText({ hasGroup: true })}`;
      const words = ["-c", script, "holdfast-supervisor", ...args];
      const env = supervisorVariables(request);
      await once(spawn(shell, words, { argv0: "sh", cwd, env, stdio, detached: true }), "spawn");
    });
}

/** Forks twice, leaves the session, closes everything, clears its environment; its pid is in the file `pid`, `late` comes last. */
const escape = (seconds: number): string =>
  `perl -MPOSIX -e 'exit if fork; setsid; exit if fork; open F, ">", "pid"; print F $$; close F; POSIX::close($_) for 0 .. 99; exec "env", "-i", "sh", "-c", "sleep ${seconds}; : > late"'`;

const pidIn = (cwd: string): Promise<number> =>
  waitFor(() => {
    const file = path.join(cwd, "pid");
    return fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) || undefined : undefined;
  });

describe.skipIf(delegated === undefined).each(supervisorShells)("a task with a group, under %s,", (shell) => {
  const start = starterIn(delegated ?? "", shell);
  const groupOf = ({ record }: Task): string => path.join(delegated ?? "", `holdfast-${record.id}`);

  test("ends after all that it started, however that hides", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(start, { command: `${escape(1)}; exit 3` });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
    expect(fs.existsSync(path.join(world.cwd, "late"))).toBe(true);
    await waitFor(() => !fs.existsSync(groupOf(task)));
  });

  test("is stopped with what hides", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(start, { command: escape(300) });
    const pid = await pidIn(world.cwd);
    await waitFor(() => fs.existsSync(task.files.exit));
    expect(path.basename(controlGroupOf(pid))).toBe(`holdfast-${task.record.id}`);
    expect(await world.tasks.stop(task, { by: "x", graceMs: 1000 })).toMatchObject({ status: "stopped" });
    expect(startTimeOf(pid)).toBeUndefined();
  });

  test("is ended with what hides when its time is up", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(start, { command: escape(300), timeoutMs: 1000 });
    const pid = await pidIn(world.cwd);
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "timeout" });
    expect(startTimeOf(pid)).toBeUndefined();
  });

  test("is no part of the task that started it", async () => {
    await using world = taskWorld();
    const outer = await world.startUnder(start, { command: "exec sleep 300" });
    await waitFor(() => fs.existsSync(path.join(groupOf(outer), "cgroup.procs")));
    const inside = starterIn(groupOf(outer), shell);
    const inner = await world.startUnder(inside, { command: "exec sleep 300" });
    await waitFor(
      () => fs.existsSync(groupOf(inner)) && fs.readFileSync(`${groupOf(inner)}/cgroup.procs`, "utf8"),
    );
    await world.tasks.stop(outer, { by: "x", graceMs: 1000 });
    expect((await world.tasks.refresh(inner)).state).toMatchObject({ status: "running" });
    await world.tasks.stop(inner, { by: "x", graceMs: 1000 });
  });

  test("runs as elsewhere where no group can be made", async () => {
    await using world = taskWorld();
    // The root group is nobody's own.
    const root = starterIn(path.dirname(delegated ?? ""), shell);
    const task = await world.startUnder(root, { command: "(sleep 0.5; echo late) 7>&- & exit 3" });
    const { state, stdout } = await world.ended(task);
    expect([state, stdout]).toMatchObject([{ status: "failed", exitCode: 3 }, "late\n"]);
  });
});
