import { createHash } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { startProgram } from "../../../test/support/start-program.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { outputCountBytesMax } from "./limits.ts";
import type { ShellOutput } from "./task-output.ts";

describe("readTaskOutput()", () => {
  test("gives P8's fields of an ended task, and takes its notice", async () => {
    await using world = taskWorld({ clock: fakeClock() });
    const { task } = await world.run("printf 'one\\ntwo'; echo err >&2; exit 3");
    expect(await world.tasks.notices()).toHaveLength(1);
    expect(await world.tasks.output(task, { by: "reader" })).toEqual({
      retrieval_status: "success",
      shellId: task.record.id,
      command: task.record.command,
      status: "failed",
      exitCode: 3,
      stdout: "one\ntwo",
      stderr: "err\n",
      stdoutLines: 2,
      stderrLines: 1,
      timestamp: "2026-01-02T03:04:05.000Z",
    });
    expect(await world.tasks.notices()).toEqual([]);
    expect(JSON.parse(fs.readFileSync(task.files.noticeConsumed, "utf8"))).toEqual({
      by: "reader",
      at: "2026-01-02T03:04:05.000Z",
    });
  });

  test("syncs nothing when the notice was taken before", async () => {
    await using world = taskWorld();
    const { task } = await world.run("echo done");
    await world.tasks.output(task, { by: "reader" });
    await world.tasks.newOutput(task, { reader: "reader" });
    const syncs = [vi.spyOn(nodeFileOps, "fdatasyncSync"), vi.spyOn(nodeFileOps, "fsyncSync")];
    await world.tasks.output(task, { by: "reader" });
    await world.tasks.newOutput(task, { reader: "reader" });
    expect(syncs.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    vi.restoreAllMocks();
  });

  test("tells not ready, timed out and ended apart", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({
      command: "echo early; read line; echo $line",
      cwd: world.cwd,
      stdin: true,
    });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") !== "");
    const now = await world.tasks.output(task, { by: "x", block: false });
    expect(now).toMatchObject({
      retrieval_status: "not_ready",
      status: "running",
      exitCode: null,
      stdout: "early\n",
    });
    const later = await world.tasks.output(task, { by: "x", timeoutMs: 60 });
    expect(later).toMatchObject({ retrieval_status: "timeout", status: "running", exitCode: null });
    expect(await world.tasks.notices()).toEqual([]);
    const asking = world.tasks.output(task, { by: "x" });
    await world.tasks.send(task, "late\n");
    expect(await asking).toMatchObject({ retrieval_status: "success", exitCode: 0, stdout: "early\nlate\n" });
    for (const timeoutMs of [-1, 600_001])
      await expect(world.tasks.output(task, { by: "x", timeoutMs })).rejects.toThrow(RangeError);
  });

  test("counts the lines of the output, not those of the excerpt or of what the filter passes", async () => {
    await using world = taskWorld();
    const { task } = await world.run("yes abcdefghi | head -n 20000; printf 'no newline'; echo one >&2");
    const output = (await world.tasks.output(task, { by: "x", filter: "newline" })) as ShellOutput;
    expect(output.stdout).toMatch(/^\[output truncated: \d+ bytes\]\nno newline$/);
    expect([output.stdoutLines, output.stderrLines]).toEqual([20_001, 1]);
    const piece = await world.tasks.newOutput(task, { reader: "r", filter: "newline" });
    expect([piece.stdout, piece.stdoutLines]).toEqual(["", 3000]);
    fs.truncateSync(task.files.output, outputCountBytesMax + 1);
    fs.rmSync(task.files.stderr);
    expect(await world.tasks.output(task, { by: "x" })).toMatchObject({
      stdoutLines: null,
      stderrLines: null,
    });
  });

  test("stops waiting at the signal", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const signal = AbortSignal.timeout(50);
    const output = await world.tasks.output(task, { by: "x", signal, timeoutMs: 60_000 });
    expect(output.retrieval_status).toBe("timeout");
  });

  test("takes no notice, and moves no place, when the filter is refused", async () => {
    await using world = taskWorld();
    const { task } = await world.run("echo one; echo two");
    await expect(world.tasks.output(task, { by: "x", filter: "(" })).rejects.toMatchObject({
      code: "task_refused",
    });
    await expect(world.tasks.newOutput(task, { reader: "r", filter: "(" })).rejects.toMatchObject({
      code: "task_refused",
    });
    expect(await world.tasks.notices()).toHaveLength(1);
    expect(await world.tasks.newOutput(task, { reader: "r", filter: "two" })).toMatchObject({
      stdout: "two",
    });
  });

  test("says that the output was removed", async () => {
    await using world = taskWorld();
    const { task } = await world.run("echo one; echo two >&2");
    fs.rmSync(task.files.output);
    expect(await world.tasks.output(task, { by: "x" })).toMatchObject({
      retrieval_status: "success",
      stdout: "[output removed]\n",
      stderr: "two\n",
    });
    const { task: merged } = await world.run("echo one", { merged: true });
    expect(await world.tasks.output(merged, { by: "x" })).toMatchObject({ stdout: "one\n", stderr: "" });
    expect(await world.tasks.newOutput(merged, { reader: "x" })).toMatchObject({
      stdout: "one\n",
      stderr: "",
    });
  });

  test("bounds what it gives, says what it leaves out, and collapses progress when asked", async () => {
    await using world = taskWorld();
    const { task } = await world.run("seq 1 20000; printf '1%%\\r2%%\\r3%%\\n'");
    const { stdout } = (await world.tasks.output(task, { by: "x" })) as ShellOutput;
    const size = fs.statSync(task.files.output).size;
    const [head = "", said, tail = ""] = stdout.split(/\n\[output truncated: (\d+) bytes\]\n/);
    expect(head.startsWith("1\n2\n")).toBe(true);
    expect(tail.endsWith("20000\n1%\r2%\r3%\n")).toBe(true);
    expect(head.length + tail.length + Number(said)).toBe(size);
    const options = { by: "x", filter: "^(1999.|3%)$", collapse: true };
    const filtered = (await world.tasks.output(task, options)) as ShellOutput;
    expect(filtered.stdout.split("\n").slice(-3)).toEqual(["19998", "19999", "3%"]);
    expect(filtered.stdout).toContain(`[output truncated: ${said} bytes]`);
  });

  test("keeps the tail of an endless output, and says how much was cut", async () => {
    await using world = taskWorld();
    const print = `awk 'BEGIN { for (n = 1; n <= 20000; n++) printf "%08d\\n", n }'`;
    const command = `n=0; while [ $n -lt 60 ]; do ${print}; n=$((n+1)); sleep 0.05; done; echo the end`;
    const { task, state } = await world.run(command, { keepTail: true, outputBytesMax: 2_000_000 });
    expect(state.status).toBe("completed");
    const cut = Number(fs.readFileSync(`${task.files.output}.cut`, "utf8"));
    const stat = fs.statSync(task.files.output);
    expect(stat.size).toBe(60 * 20_000 * 9 + 8);
    expect(cut).toBeGreaterThan(1_000_000);
    expect(stat.blocks * 512).toBeLessThan(stat.size - cut + 100_000);
    const { stdout } = (await world.tasks.output(task, { by: "x" })) as ShellOutput;
    expect(stdout.endsWith("00020000\nthe end\n")).toBe(true);
    expect(stdout).not.toContain("\0");
    const said = /\[output truncated: (\d+) bytes\]/.exec(stdout)!;
    expect(Number(said[1]) + stdout.length - said[0].length - 2).toBe(stat.size);
    const news = await world.tasks.newOutput(task, { reader: "r" });
    expect(news.stdout).toMatch(new RegExp(`^\\n\\[output truncated: ${cut} bytes\\]\\n`));
  });
});

describe("readNewOutput()", () => {
  test("gives each reader what is new to it, and the notice to the first who has read all", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({
      command: "echo one; read line; echo $line; echo err >&2",
      cwd: world.cwd,
      stdin: true,
    });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") !== "");
    expect(await world.tasks.newOutput(task, { reader: "a" })).toMatchObject({
      stdout: "one\n",
      status: "running",
    });
    expect(await world.tasks.newOutput(task, { reader: "a" })).toMatchObject({ stdout: "", stdoutLines: 0 });
    await world.tasks.send(task, "two\n");
    await world.ended(task);
    const last = { retrieval_status: "success", status: "completed", exitCode: 0 };
    expect(await world.tasks.newOutput(task, { reader: "a" })).toMatchObject({
      ...last,
      stdout: "two\n",
      stderr: "err\n",
    });
    expect(await world.tasks.notices()).toEqual([]);
    expect(await world.tasks.newOutput(task, { reader: "b/../c\n" })).toMatchObject({
      ...last,
      stdout: "one\ntwo\n",
    });
    expect(await world.tasks.newOutput(task, { reader: "a" })).toMatchObject({
      ...last,
      stdout: "",
      stderr: "",
    });
  });

  test("takes the notice only when the reader has come to the end", async () => {
    await using world = taskWorld();
    const { task } = await world.run("seq 1 20000");
    let read = "";
    for (let piece = 0; piece < 4; piece++) {
      expect(await world.tasks.notices()).toHaveLength(1);
      read += (await world.tasks.newOutput(task, { reader: "a" })).stdout;
    }
    expect(await world.tasks.notices()).toEqual([]);
    expect(read).toBe(fs.readFileSync(task.files.output, "utf8"));
  });

  test("waits for the rest of a character, and gives what never becomes one", async () => {
    await using world = taskWorld();
    const command = "printf 'a\\342\\202'; read line; printf '\\254b\\360\\237'";
    const task = await world.tasks.start({ command, cwd: world.cwd, stdin: true });
    await waitFor(() => fs.statSync(task.files.output).size === 3);
    expect((await world.tasks.newOutput(task, { reader: "a" })).stdout).toBe("a");
    await world.tasks.send(task, "\n");
    await world.ended(task);
    expect((await world.tasks.newOutput(task, { reader: "a" })).stdout).toBe("€b\uFFFD");
    expect(await world.tasks.notices()).toEqual([]);
  });
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("follow()", () => {
  test("gives all of a large output, to its last byte, as it grows", async () => {
    await using world = taskWorld();
    const command = "n=0; while [ $n -lt 20 ]; do seq 1 5000 | sed 's/$/ 你好/'; n=$((n+1)); done";
    const task = await world.tasks.start({ command, cwd: world.cwd });
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const { text } of world.tasks.follow(task)) {
      hash.update(text);
      bytes += Buffer.byteLength(text);
    }
    const written = fs.readFileSync(task.files.output);
    expect(bytes).toBe(written.length);
    expect(hash.digest("hex")).toBe(createHash("sha256").update(written).digest("hex"));
    expect((await world.tasks.refresh(task)).state.status).toBe("completed");
  });

  test("ends at the signal, and for a stream that is not there", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "echo one; sleep 300", cwd: world.cwd });
    const abort = new AbortController();
    let got = "";
    for await (const { text } of world.tasks.follow(task, { signal: abort.signal })) {
      got += text;
      abort.abort();
    }
    expect(got).toBe("one\n");
    const { task: merged } = await world.run("true", { merged: true });
    const pieces: string[] = [];
    for await (const { text } of world.tasks.follow(merged, { stream: "stderr" })) pieces.push(text);
    expect(pieces).toEqual([]);
  });

  test("goes on from the offset of any piece, of both streams, without a part of a character", async () => {
    await using world = taskWorld();
    const { task } = await world.run("printf '你好 one\\n'; printf '世界 two\\n' >&2");
    const first = await all(world.tasks.follow(task));
    expect(first).toEqual([
      { stream: "stdout", text: "你好 one\n", offset: 11 },
      { stream: "stderr", text: "世界 two\n", offset: 11 },
    ]);
    const rest = await all(world.tasks.follow(task, { from: { stdout: 6, stderr: 11 } }));
    expect(rest).toEqual([{ stream: "stdout", text: " one\n", offset: 11 }]);
  });

  test("reaches the end in another process while this one stops the task", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "seq 1 1000; sleep 300", cwd: world.cwd });
    const follower = startProgram("task-follower", [world.home, task.record.id]);
    await waitFor(() => follower.lines.length === 1000);
    await world.tasks.stop(task, { by: "test" });
    expect(await follower.ended()).toEqual({ code: 0, signal: null });
    expect(follower.lines.at(-1)).toBe("1000");
  });
});
