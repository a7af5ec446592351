import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc, realProc } from "../../../test/support/other-machine.ts";
import {
  basicEnv,
  markedProcesses,
  starterWith,
  supervisorShells,
  taskWorld,
} from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import type { RunningState } from "../record/task-state.ts";

const tenth = 100;

describe.each(supervisorShells)("supervisor.sh under %s", (shell) => {
  test.each([
    { command: "exit 0", state: { status: "completed", exitCode: 0 } },
    { command: "exit 3", state: { status: "failed", exitCode: 3, reason: "exit" } },
    {
      command: "kill -9 $$",
      state: { status: "failed", exitCode: 137, signal: "SIGKILL", reason: "exit" },
    },
    {
      command: "kill -INT $$",
      state: { status: "failed", exitCode: 130, signal: "SIGINT", reason: "exit" },
    },
    { command: "no-such-command-anywhere", state: { status: "failed", exitCode: 127, reason: "exit" } },
    { command: "/etc/passwd", state: { status: "failed", exitCode: 126, reason: "exit" } },
    { command: "if then", state: { status: "failed", exitCode: expect.any(Number), reason: "exit" } },
  ])("writes the true ending of: $command", async ({ command, state }) => {
    await using world = taskWorld();
    const ended = await world.ended(await world.startUnder(shell, { command }));
    expect(ended.state).toEqual({ ...state, endedAt: expect.any(String) });
    expect(ended.stdout).toBe("");
  });

  test("moves its draft from running/ to ended/, as a second name of the ending", async () => {
    await using world = taskWorld();
    const { files } = await world.startUnder(shell, { command: "sleep 300 & exit 3", timeoutMs: 500 });
    await waitFor(() => fs.existsSync(files.ended));
    expect(fs.statSync(files.ended).ino).toBe(fs.statSync(files.ending).ino);
    expect(fs.existsSync(files.endingDraft)).toBe(false);
    expect(fs.existsSync(files.exit)).toBe(false);
  });

  test("ends who only holds the line when the time is up", async () => {
    await using world = taskWorld();
    const command = `env -i perl -MPOSIX -e 'setsid; exec "sleep", "300"' & exit 0`;
    const { state } = await world.ended(await world.startUnder(shell, { command, timeoutMs: 500 }));
    expect(state).toMatchObject({ status: "failed", reason: "timeout" });
  });

  test("ends who holds the line by another descriptor when the time is up", async () => {
    await using world = taskWorld();
    const command = `env -i perl -MPOSIX -e 'setsid; dup2(7, 20); POSIX::close(7); $^F = 20; exec "sleep", "300"' & exit 0`;
    const { state } = await world.ended(await world.startUnder(shell, { command, timeoutMs: 500 }));
    expect(state).toMatchObject({ status: "failed", reason: "timeout" });
  });

  test("ends what left everything when the time is up, as long as what started it lives", async () => {
    await using world = taskWorld();
    const child = "setsid; POSIX::close($_) for 3 .. 255; %ENV = (); exec 'sleep', 300";
    const command = `perl -MPOSIX -e '$| = 1; my $pid = fork; if ($pid) { print $pid; sleep 300 } ${child.replaceAll("'", '"')}'`;
    const { stdout, state } = await world.ended(
      await world.startUnder(shell, { command, timeoutMs: 5 * tenth }),
    );
    expect(state).toMatchObject({ status: "failed", reason: "timeout" });
    expect(startTimeOf(Number(stdout))).toBeUndefined();
  });

  // It has an ln of its own, which no PATH can replace.
  test.skipIf(shell === "/bin/busybox")(
    "leaves an ending that it cannot name in running/, where a reader names it",
    async () => {
      const dir = tempDir();
      fs.writeFileSync(path.join(dir, "ln"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      await using world = taskWorld();
      const start = starterWith(shell);
      const task = await world.startUnder(
        (request) => {
          const { supervisorEnv: env } = request;
          return start({ ...request, supervisorEnv: { ...env, PATH: `${dir}:${env["PATH"]}` } });
        },
        // Not before it was started: who starts a task reads its state, and would name the ending.
        { command: "until [ -e go ]; do sleep 0.02; done; exit 3" },
      );
      fs.writeFileSync(path.join(world.cwd, "go"), "");
      await waitFor(() => fs.readFileSync(task.files.endingDraft, "utf8").startsWith("{"));
      expect(fs.existsSync(task.files.ending)).toBe(false);
      expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
      expect(await world.tasks.list()).toEqual([]);
      expect(fs.statSync(task.files.ended).ino).toBe(fs.statSync(task.files.ending).ino);
      expect(fs.existsSync(task.files.endingDraft)).toBe(false);
    },
  );

  test("says what it cannot run in the command's own stderr", async () => {
    await using world = taskWorld({ env: { ...basicEnv, SHELL: "/no/such/shell" } });
    const { state, stderr } = await world.ended(await world.startUnder(shell, { command: "true" }));
    expect(state).toMatchObject({ status: "failed", exitCode: 127 });
    expect(stderr).toContain("/no/such/shell");
  });

  test("adds nothing to the output of a killed command", async () => {
    await using world = taskWorld();
    const command = "echo out; echo err >&2; kill -SEGV $$";
    const ended = await world.ended(await world.startUnder(shell, { command }));
    expect(ended).toMatchObject({ stdout: "out\n", stderr: "err\n", state: { signal: "SIGSEGV" } });
  });

  test("ends a command at its timeout, at once when it obeys", async () => {
    await using world = taskWorld();
    const startedAt = performance.now();
    const task = await world.startUnder(shell, { command: "sleep 300", timeoutMs: 3 * tenth });
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "failed", reason: "timeout", exitCode: 143 });
    // Far below the grace, which only commands that do not obey are given.
    expect(performance.now() - startedAt).toBeLessThan(3500);
    expect(markedProcesses(task.record.id)).toEqual([]);
  });

  test("ends what outlives its command at the timeout", async () => {
    await using world = taskWorld();
    const command = "setsid sleep 300 & nohup sleep 300 > /dev/null & echo started";
    const task = await world.startUnder(shell, { command, timeoutMs: 10 * tenth });
    const survivors = await waitFor(
      async () => ((await world.tasks.refresh(task)).state as RunningState).survivors,
    );
    expect(survivors).toMatchObject({ exitCode: 0 });
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "failed", reason: "timeout", exitCode: 0 });
    expect(markedProcesses(task.record.id)).toEqual([]);
  });

  test("ends what outlives its command when it prints too much", async () => {
    await using world = taskWorld();
    const command = "(while :; do echo 0123456789012345678901234567890123456789; done) & echo started";
    const task = await world.startUnder(shell, { command, outputBytesMax: 10_000 });
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "failed", reason: "output-limit", exitCode: 0 });
    expect(markedProcesses(task.record.id)).toEqual([]);
  });

  // Without /proc nothing tells the size of a file that has no name (docs/platforms.md).
  test.skipIf(isWithoutProc)("sees too much output also when the file was removed", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(shell, { command: "sleep 0.2; yes", outputBytesMax: 10_000 });
    fs.rmSync(task.files.output);
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "output-limit" });
  });

  test("keeps its timeout when the command signals its whole group", async () => {
    await using world = taskWorld();
    const command = "trap '' TERM; kill 0; kill -HUP 0; trap - TERM; sleep 300";
    const task = await world.startUnder(shell, { command, timeoutMs: 5 * tenth });
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "failed" });
    expect(fs.existsSync(task.files.ending)).toBe(true);
  });

  test("lets a command clean up, by processes of its own, when its time is up", async () => {
    await using world = taskWorld();
    const command = `trap "sh -c 'sleep 0.5; echo clean'; exit 3" TERM; echo ready; while :; do sleep 0.1; done`;
    const task = await world.startUnder(shell, { command, timeoutMs: 3 * tenth });
    const { stdout, state } = await world.ended(task);
    expect({ stdout, state }).toMatchObject({
      stdout: "ready\nclean\n",
      state: { reason: "timeout", exitCode: 3 },
    });
  });

  test("ends what was born while it looked", async () => {
    await using world = taskWorld();
    // Each one replaces itself by a child that was not there before, and ends.
    const command = `f() { n=$1; [ "$n" = 0 ] && exec sleep 300; (sleep 0.05; f $((n - 1))) & }; f 20; wait`;
    const task = await world.startUnder(shell, { command, timeoutMs: 3 * tenth });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "timeout" });
    expect(markedProcesses(task.record.id)).toEqual([]);
  });

  test("sees too much output on stderr, too", async () => {
    await using world = taskWorld();
    const command = "head -c 20000 /dev/zero >&2; exec sleep 300";
    const task = await world.startUnder(shell, { command, outputBytesMax: 10_000 });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "output-limit" });
  });

  test("sees too much output also of one who opened the file anew", async () => {
    await using world = taskWorld();
    const command = `head -c 20000 /dev/zero >> ${realProc}/self/fd/1; exec sleep 300`;
    const task = await world.startUnder(shell, { command, outputBytesMax: 10_000 });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "output-limit" });
  });

  test("keeps the reason of its ending under a hail of signals", async () => {
    await using world = taskWorld();
    const command = "(trap '' TERM; sleep 1) & exec sleep 300";
    const task = await world.startUnder(shell, { command, timeoutMs: 3 * tenth });
    const pid = await waitFor(async () => ((await world.tasks.refresh(task)).state as RunningState).pid);
    const signals = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;
    let sent = 0;
    const hail = setInterval(() => {
      // The last ones come when it is gone. Not for ever: on a busy machine it would have time for nothing else.
      if (sent < 2_000 && fs.existsSync(`${realProc}/${pid}`))
        process.kill(pid, signals[sent++ % signals.length]);
    }, 1);
    const { state } = await world.ended(task).finally(() => clearInterval(hail));
    expect(state).toMatchObject({ status: "failed", reason: "timeout", exitCode: 143 });
  });

  test("gives the command the caller's variables, whatever they are called", async () => {
    const names = [
      "id",
      "base",
      "shell",
      "command",
      "timeout",
      "limit",
      "grace",
      "slots",
      "ahead",
      "niceness",
    ];
    const more = [
      "start",
      "boot",
      "stat",
      "born",
      "last",
      "pid",
      "code",
      "reason",
      "file",
      "size",
      "watchers",
    ];
    const own = Object.fromEntries([...names, ...more].map((name) => [name, `the caller's ${name}`]));
    const odd = { IFS: ":", ENV: "/no/such/file", BASH_ENV: "/no/such/file", CDPATH: "/", PS4: "$(exit 1)" };
    await using world = taskWorld({ env: { ...basicEnv, ...own, ...odd } });
    const { stdout, state } = await world.ended(await world.startUnder(shell, { command: "env -0" }));
    expect(state.status).toBe("completed");
    const seen = Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(seen).toMatchObject(own);
  });

  test("gives the command every variable as it is, and is itself changed by none", async () => {
    // It reads no characters but those of its locale.
    const LANG = shell === "/bin/yash" ? "C.UTF-8" : "xx";
    const odd = {
      "a.b": "1",
      "-u": "2",
      UID: "x y",
      PPID: "-",
      RANDOM: "r",
      SHLVL: "7",
      LANG,
      A: "'\n\"$x`é",
    };
    const ours = { OPTIND: "none", IFS: "x", _base: "/", _is_full: "1", create: "exit", take_charge: "exit" };
    // Instead of a shell, which would change some of them.
    const printer = path.join(tempDir(), "printer");
    const program = `process.stdout.write(require("fs").readFileSync("${realProc}/self/environ"))`;
    fs.writeFileSync(printer, `#!${process.execPath}\n${program}`, { mode: 0o755 });
    await using world = taskWorld({ env: { ...basicEnv, ...odd, ...ours } });
    const task = await world.startUnder(shell, { command: "true", env: { SHELL: printer } });
    const { stdout, state } = await world.ended(task);
    expect(state).toMatchObject({ status: "completed" });
    const seen = Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(seen).toMatchObject({ ...odd, ...ours, HOLDFAST_TASK_ID: task.record.id });
    const own = Object.keys(seen).filter((name) => /HOLDFAST_(?!TASK_ID)|^_[a-z]/.test(name));
    expect(own.toSorted()).toEqual(["_base", "_is_full"]);
  });

  test("works with shell options in the environment", async () => {
    const env = { ...basicEnv, SHELLOPTS: "braceexpand:errexit:hashall:interactive-comments:nounset" };
    await using world = taskWorld({ env });
    const command = "(sleep 0.3; echo late) & false";
    const { stdout, state } = await world.ended(await world.startUnder(shell, { command }));
    expect(state).toMatchObject({ status: "failed", exitCode: 1 });
    expect(stdout).toBe("late\n");
  });

  test.each([undefined, "", "/no/such/folder", "relative:.:"])("works with PATH %j", async (PATH) => {
    await using world = taskWorld({ env: { PATH } });
    const command = "(/bin/sleep 0.2; echo late) & echo now";
    const request = { command, timeoutMs: 20_000, niceness: 5 };
    const { stdout, state } = await world.ended(await world.startUnder(shell, request));
    expect(state.status).toBe("completed");
    expect(stdout).toBe("now\nlate\n");
  });

  test("lets a command print and live for a while under the limit that it has by itself", async () => {
    await using world = taskWorld();
    const { stdout, state } = await world.ended(
      await world.startUnder(shell, { command: "echo printed; sleep 5.5" }),
    );
    expect({ stdout, ...state }).toMatchObject({ stdout: "printed\n", status: "completed" });
  });

  test("runs no tool of the caller's PATH, such as one that lies in the project", async () => {
    await using world = taskWorld({ env: { PATH: ".:/usr/bin:/bin" } });
    for (const tool of ["grep", "ln", "rm", "mv", "sleep", "mkfifo", "tr", "wc", "sync", "xargs", "nice"])
      fs.writeFileSync(path.join(world.cwd, tool), "#!/bin/sh\necho $0 >> ran\n", { mode: 0o755 });
    const command = "(/bin/sleep 0.2; echo late) & echo now; exit 3";
    const request = { command, timeoutMs: 20_000, niceness: 5 };
    const { stdout, state } = await world.ended(await world.startUnder(shell, request));
    expect({ stdout, ...state }).toMatchObject({ stdout: "now\nlate\n", status: "failed", exitCode: 3 });
    expect(fs.existsSync(path.join(world.cwd, "ran"))).toBe(false);
  });

  test("leaves nothing behind when it is killed itself", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(shell, { command: "exec sleep 0.5", timeoutMs: 60_000 });
    await waitFor(() => markedProcesses(task.record.id).length > 0);
    const { pid = 0 } = (await world.tasks.refresh(task)).state as RunningState;
    process.kill(pid, "SIGKILL");
    expect((await world.ended(task)).state).toMatchObject({ status: "lost" });
    await world.tasks.stop(task, { by: "test", graceMs: 0 });
    expect(sessionMembers(pid)).toEqual([]);
  });

  test("writes what it must beside planted links, never through them", async () => {
    await using world = taskWorld();
    const victim = path.join(tempDir(), "victim");
    fs.writeFileSync(victim, "precious");
    const first = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const after = [first.record.id];
    const task = await world.tasks.start({ command: "sleep 300 & exit 4", cwd: world.cwd, after });
    for (const file of [task.files.started, task.files.exit]) fs.symlinkSync(victim, file);
    await world.tasks.stop(first, { by: "test", graceMs: 0 });
    await waitFor(() => markedProcesses(task.record.id).length > 0);
    await world.tasks.stop(task, { by: "test", graceMs: 0 });
    expect(fs.readFileSync(victim, "utf8")).toBe("precious");
  });
});

function sessionMembers(session: number): string[] {
  return fs.readdirSync(realProc).filter((name) => {
    try {
      const stat = fs.readFileSync(`${realProc}/${name}/stat`, "latin1");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3] === String(session) && !/\) Z /.test(stat);
    } catch {
      return false;
    }
  });
}
