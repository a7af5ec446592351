import { describe, expect, test } from "vitest";
import { startProgram } from "../../test/support/start-program.ts";
import { markedProcesses, taskWorld } from "../../test/support/task-world.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe("openTasks()", () => {
  test("acknowledges a launch and knows an ending in a moment", async () => {
    await using world = taskWorld();
    await world.run("true");
    const launches: number[] = [];
    const endings: number[] = [];
    for (let n = 0; n < 25; n++) {
      const from = performance.now();
      // The date of a BSD knows no milliseconds.
      const command = "perl -MTime::HiRes=time -e 'print time * 1000'";
      const task = await world.tasks.start({ command, cwd: world.cwd });
      launches.push(performance.now() - from);
      const { stdout } = await world.ended(task);
      endings.push(Date.now() - Number(stdout));
    }
    const told = `launch acknowledged after ${median(launches).toFixed(1)} ms, ending known ${median(endings).toFixed(1)} ms after the command's last word (medians)`;
    process.stdout.write(`${told}\n`);
    expect(median(launches)).toBeLessThan(250);
    expect(median(endings)).toBeLessThan(500);
  });

  test("adopts what a killed process had launched: its state, output, input, end and notice", async () => {
    await using world = taskWorld();
    const launcher = startProgram("task-launcher", [world.home, world.cwd]);
    launcher.say(JSON.stringify({ command: "echo begun; read line; echo $line; exit 6", stdin: true }));
    launcher.say(JSON.stringify({ command: "sleep 300" }));
    await waitFor(() => launcher.lines.length === 3);
    launcher.kill("SIGKILL");
    await launcher.ended();
    const running = await world.tasks.list();
    const [reading, sleeping] = ["echo", "sleep"].map((word) =>
      running.find(({ record }) => record.command.startsWith(word)),
    );
    expect([reading, sleeping].map((task) => task!.state.status)).toEqual(["running", "running"]);
    await world.tasks.send(reading!, "adopted\n");
    expect(await world.ended(reading!)).toMatchObject({ stdout: "begun\nadopted\n", state: { exitCode: 6 } });
    await world.tasks.stop(sleeping!, { by: "adopter" });
    expect(markedProcesses(sleeping!.record.id)).toEqual([]);
    expect((await world.tasks.consumeNotices({ by: "adopter" })).map(({ status }) => status)).toEqual([
      "failed",
      "stopped",
    ]);
  });

  test("keeps tasks of a task apart from it", async () => {
    await using world = taskWorld();
    const inner = startInner(world.home, world.cwd);
    const outer = await world.tasks.start({ command: inner, cwd: world.cwd });
    const task = await waitFor(async () =>
      (await world.tasks.list()).find(({ record }) => record.command === "sleep 301"),
    );
    await waitFor(() => markedProcesses(task.record.id).length > 0);
    await world.tasks.stop(outer, { by: "test" });
    expect((await world.tasks.refresh(task)).state.status).toBe("running");
    expect(markedProcesses(task.record.id).length).toBeGreaterThan(0);
  });
});

/** A command that launches a task of its own and goes on. */
function startInner(home: string, cwd: string): string {
  const program = new URL("../../test/programs/task-launcher.ts", import.meta.url).pathname;
  const request = JSON.stringify({ command: "sleep 301" });
  return `(echo '${request}'; sleep 300) | '${process.execPath}' --disable-warning=ExperimentalWarning '${program}' '${home}' '${cwd}'`;
}
