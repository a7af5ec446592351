import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  starterWith,
  supervisorShells,
  taskWorld,
  type TaskWorld,
} from "../../../test/support/task-world.ts";
import { isWithoutProc, realProc } from "../../../test/support/other-machine.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { TaskStarter } from "./start-process.ts";

/** Closes the line, then replaces itself every few milliseconds by a child in a session of its own; the last one makes FILE. */
const chain = `
  use POSIX;
  my ($count, $seconds, $file) = @ARGV;
  POSIX::close($_) for 0 .. 99;
  for (1 .. $count) { exit if fork; setsid; select undef, undef, undef, $seconds }
  open my $made, ">", $file;
`;

function chainCommand(count: number, seconds: number): { command: string; file: string } {
  const dir = tempDir();
  const program = path.join(dir, "chain.pl");
  fs.writeFileSync(program, chain);
  const file = path.join(dir, "made");
  return { command: `perl ${program} ${count} ${seconds} ${file}`, file };
}

/** It has tools of its own, which no PATH can replace. */
const ownTools = "/bin/busybox";

describe.each(supervisorShells)("the look of a supervisor under %s", (shell) => {
  // Births have no numbers there, so ps can miss it (docs/platforms.md).
  test.skipIf(isWithoutProc).each([0.005, 0.02])(
    "is not early for a chain of processes that live %d s each",
    async (seconds) => {
      await using world = taskWorld();
      const { command, file } = chainCommand(2 / seconds, seconds);
      const { state } = await world.ended(await world.startUnder(shell, { command }));
      expect(fs.existsSync(file)).toBe(true);
      expect(state.status).toBe("completed");
    },
  );

  test("sees everything where files are called like processes", async () => {
    await using world = taskWorld();
    fs.writeFileSync(path.join(world.cwd, "1 file"), "");
    // So many births that it looks at all processes.
    const births = "n=0; while [ $n -lt 400 ]; do (:); n=$((n + 1)); done";
    const command = `${births}; (sleep 1; echo late) 7>&- & exit 0`;
    const { stdout } = await world.ended(await world.startUnder(shell, { command }));
    expect(stdout).toBe("late\n");
  });

  // There, what shows no environment at that moment cannot be told from a stranger (docs/platforms.md).
  test.skipIf(isWithoutProc)("sees who becomes another program all the time", async () => {
    await using world = taskWorld();
    // Most of its life it shows no environment. It is in another session, and has closed the line.
    const loop = path.join(world.cwd, "loop.pl");
    const again = 'if ($ARGV[0] > time) { exec $^X, $0, @ARGV } open my $made, ">", $ARGV[1]';
    fs.writeFileSync(
      loop,
      `exit if !$ENV{AGAIN}++ && fork; use POSIX; setsid; POSIX::close($_) for 0 .. 99; ${again}`,
    );
    const file = path.join(world.cwd, "made");
    const command = `perl ${loop} $(($(date +%s) + 3)) ${file}`;
    await world.ended(await world.startUnder(shell, { command }));
    expect(fs.existsSync(file)).toBe(true);
  });

  test("does not wait for the end of a stranger who becomes another program all the time", async () => {
    await using world = taskWorld();
    const again = ["-e", "exec $^X, '-e', $ARGV[0], @ARGV", "exec $^X, '-e', $ARGV[0], @ARGV"];
    const stranger = spawn("perl", again, { detached: true, stdio: "ignore" });
    try {
      const command = "sleep 0.2 7>&- & exit 3";
      const task = await world.startUnder(shell, { command });
      expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
    } finally {
      stranger.kill("SIGKILL");
      await once(stranger, "exit");
    }
  });

  test.skipIf(isWithoutProc)(
    "ends nobody because of what another process carries in its environment",
    async () => {
      await using world = taskWorld();
      const lone = { detached: true, stdio: "ignore" } as const;
      const victim = spawn("sleep", ["300"], lone);
      const task = await world.startUnder(shell, { command: "sleep 300", timeoutMs: 2000 });
      const env = {
        FIRST: `\n==> /proc/${victim.pid} (a) S/stat <==\n==> /proc/${victim.pid}/environ <==\n`,
        HOLDFAST_TASK_ID: task.record.id,
      };
      const liar = spawn("sleep", ["300"], { ...lone, env });
      try {
        expect((await world.ended(task)).state).toMatchObject({ reason: "timeout" });
        expect(victim.signalCode).toBe(null);
        expect(fs.existsSync(`${realProc}/${victim.pid}`)).toBe(true);
      } finally {
        for (const stranger of [victim, liar]) {
          if (stranger.exitCode !== null || stranger.signalCode !== null) continue;
          stranger.kill("SIGKILL");
          await once(stranger, "exit");
        }
      }
    },
  );

  test.skipIf(shell === ownTools)("is not taken for one that saw nothing when it failed", async () => {
    await using world = taskWorld();
    const tools = failingTool("awk", 2);
    const command = "(sleep 1; echo late) 7>&- & exit 0";
    const task = await world.startUnder(withTools(shell, tools), { command });
    expect((await world.ended(task)).stdout).toBe("late\n");
    expect(fs.readFileSync(path.join(tools, "calls"), "utf8").length).toBeGreaterThan(2);
  });

  test("does not wait for one that has died", async () => {
    await using world = taskWorld();
    const looking = await lookingFolder(world);
    fs.writeFileSync(looking.lock, "");
    const task = await world.startUnder(shell, { command: "sleep 0.3 7>&- & exit 3" });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
    expect(fs.existsSync(looking.lock)).toBe(false);
  });

  test("does not wait for ever for one that is stopped", async () => {
    await using world = taskWorld();
    const looking = await lookingFolder(world);
    const held = fs.openSync(looking.pipe, "r+");
    try {
      fs.writeFileSync(looking.lock, "");
      const command = "sleep 0.3 7>&- & exit 3";
      const task = await world.startUnder(shell, { command, outputBytesMax: 10_000 });
      expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
      expect(fs.existsSync(looking.lock)).toBe(false);
    } finally {
      fs.closeSync(held);
    }
  });

  test("answers nobody who asked after it had begun", async () => {
    await using world = taskWorld();
    const looking = await lookingFolder(world);
    const held = fs.openSync(looking.pipe, "r+");
    fs.writeFileSync(looking.seen, "6 \n");
    fs.writeFileSync(looking.lock, "");
    const command = "(sleep 1; echo late) 7>&- & exit 0";
    const task = await world.startUnder(shell, { command });
    const ticket = path.join(path.dirname(looking.lock), path.basename(task.files.endingDraft));
    await waitFor(() => fs.existsSync(ticket));
    // As if the look that it waits for ended now, and had seen nothing.
    fs.writeFileSync(`${looking.seen}.new`, "7 \n");
    fs.renameSync(`${looking.seen}.new`, looking.seen);
    fs.rmSync(looking.lock);
    fs.closeSync(held);
    expect((await world.ended(task)).stdout).toBe("late\n");
    expect(Number.parseInt(fs.readFileSync(looking.seen, "utf8"), 10)).toBeGreaterThan(7);
  });

  test.skipIf(shell === ownTools)("tells nobody what it saw when it was passed over", async () => {
    await using world = taskWorld();
    const looking = await lookingFolder(world);
    const tools = tempDir();
    const go = path.join(tools, "go");
    execFileSync("mkfifo", [go]);
    fs.writeFileSync(
      path.join(tools, "awk"),
      `#!/bin/sh\n: >> ${tools}/called\nread x < ${go}\nexec /usr/bin/awk "$@"\n`,
      { mode: 0o755 },
    );
    const task = await world.startUnder(withTools(shell, tools), { command: "sleep 0.3 7>&- & exit 0" });
    await waitFor(() => fs.existsSync(path.join(tools, "called")));
    fs.writeFileSync(looking.lock, "");
    fs.writeFileSync(looking.seen, "99 \n");
    fs.writeFileSync(path.join(tools, "awk"), `#!/bin/sh\nexec /usr/bin/awk "$@"\n`);
    // Opened for both, so that it does not wait for a reader.
    const held = fs.openSync(go, "r+");
    fs.writeSync(held, "\n");
    await waitFor(() => !fs.existsSync(looking.lock) || fs.existsSync(task.files.ending));
    await world.ended(task);
    fs.closeSync(held);
    expect(Number.parseInt(fs.readFileSync(looking.seen, "utf8"), 10)).toBeGreaterThanOrEqual(99);
  });
});

/** The files of looks, in a home that has had a task; the pipe is there. */
async function lookingFolder(world: TaskWorld): Promise<{ lock: string; pipe: string; seen: string }> {
  const { task } = await world.run("true");
  const folder = path.dirname(task.files.lookingLock);
  const pipe = path.join(folder, "pipe");
  if (!fs.existsSync(pipe)) execFileSync("mkfifo", [pipe]);
  return { lock: task.files.lookingLock, pipe, seen: path.join(folder, "seen") };
}

/** A folder with a tool that fails so many times, then is the system's; `calls` has a byte for each time. */
function failingTool(name: string, times: number): string {
  const dir = tempDir();
  const calls = path.join(dir, "calls");
  const text = `#!/bin/sh\nprintf x >> ${calls}\n[ $(wc -c < ${calls}) -gt ${times} ] || exit 1\nexec /usr/bin/${name} "$@"\n`;
  fs.writeFileSync(path.join(dir, name), text, { mode: 0o755 });
  return dir;
}

/** Starts supervisors that find these tools before the system's. */
function withTools(shell: string, dir: string): TaskStarter {
  const start = starterWith(shell);
  return (request) => {
    const { supervisorEnv: env } = request;
    return start({ ...request, supervisorEnv: { ...env, PATH: `${dir}:${env["PATH"]}` } });
  };
}
