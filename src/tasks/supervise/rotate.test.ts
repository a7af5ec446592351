import fs from "node:fs";
import { describe, expect, test } from "vitest";
import {
  markedProcesses,
  starterWith,
  supervisorShells,
  taskWorld,
} from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { readOutput } from "../output/read-output.ts";
import type { Task } from "../record/task.ts";
import type { TaskStarter } from "./start-process.ts";
import { supervisorText } from "./supervisor-text.ts";

/** Starts supervisors that keep the tail as they do where there is no /proc. */
function rotating(shell: string): TaskStarter {
  const start = starterWith(shell);
  return (request) => {
    const args = request.args.map((word) => (word === "punch" ? "rotate" : word));
    return start({ ...request, args, script: supervisorText({ keepTail: "rotate" }) });
  };
}

const outputBytesMax = 400_000;
/** Lines of 9 bytes, 900,000 in all. */
const lines = `awk 'BEGIN { for (line = 1; line <= 100000; line++) printf "%08d\\n", line }'`;

describe.each(supervisorShells)("--keep-tail by rotation, under %s,", (shell) => {
  const options = { keepTail: true, outputBytesMax };

  test("keeps the tail of one stream and all of the other, and the exit code", async () => {
    await using world = taskWorld();
    const command = `echo complaint >&2; ${lines}; ${lines}; exit 3`;
    const { task, state, stderr } = await world.ended(
      await world.startUnder(rotating(shell), { command, ...options }),
    );
    expect([state, stderr]).toMatchObject([{ status: "failed", exitCode: 3 }, "complaint\n"]);
    expectTail(task, 1_800_000);
    expect(
      fs.readdirSync(task.files.base.replace(/[^/]*$/, "")).filter((name) => /pipe|new/.test(name)),
    ).toEqual([]);
  });

  test("waits for who writes when the command has ended, in the order of both streams", async () => {
    await using world = taskWorld();
    const command = `(sleep 0.5; ${lines}; ${lines} >&2) & echo begun >&2`;
    const task = await world.startUnder(rotating(shell), { command, merged: true, ...options });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "begun\n");
    expect((await world.ended(task)).state).toMatchObject({ status: "completed" });
    expectTail(task, 1_800_006);
  });

  test("ends with its processes when its time is up, or when it is stopped as it starts", async () => {
    await using world = taskWorld();
    const command = "yes | head -c 1000000; exec sleep 300";
    const late = await world.startUnder(rotating(shell), { command, timeoutMs: 700, ...options });
    const stopped = await world.startUnder(rotating(shell), { command, ...options });
    await world.tasks.stop(stopped, { by: "x", graceMs: 1000 });
    expect((await world.ended(late)).state).toMatchObject({ status: "failed", reason: "timeout" });
    for (const { record } of [late, stopped]) expect(markedProcesses(record.id)).toEqual([]);
  });
});

function expectTail({ files }: Task, size: number): void {
  const stat = fs.statSync(files.output);
  expect(stat.size).toBe(size);
  const cut = Number(fs.readFileSync(`${files.output}.cut`, "utf8"));
  expect(size - cut).toBeGreaterThanOrEqual(outputBytesMax / 2);
  expect(size - cut).toBeLessThan(outputBytesMax * 1.2);
  expect(stat.blocks * 512).toBeLessThan(size - cut + 100_000);
  const { text } = readOutput(files.output, { stream: "stdout", bytesMax: 9_000, lastLines: 900 });
  expect(text.startsWith("00099101\n") && text.endsWith("\n00100000\n")).toBe(true);
}
