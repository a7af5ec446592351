import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc } from "../../../test/support/other-machine.ts";
import { supervisorShells, taskWorld } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";

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

  test("does not wait for ever for the answer of one that is stopped", async () => {
    await using world = taskWorld();
    const first = await world.run("true");
    const { lookingLock } = first.task.files;
    const line = path.join(world.cwd, "line");
    execFileSync("mkfifo", [line]);
    // Whoever looks has the lock, and its line open.
    const held = fs.openSync(line, "r+");
    try {
      fs.writeFileSync(lookingLock, line);
      const command = "sleep 0.5 7>&- & exit 3";
      const task = await world.startUnder(shell, { command, outputBytesMax: 10_000 });
      expect((await world.ended(task)).state).toMatchObject({ status: "failed", exitCode: 3 });
      expect(fs.readdirSync(path.dirname(lookingLock))).toEqual([]);
    } finally {
      fs.closeSync(held);
    }
  });
});
