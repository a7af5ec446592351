import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc, realProc } from "../../../../test/support/other-machine.ts";
import { basicEnv, markedProcesses, taskWorld, type TaskWorld } from "../../../../test/support/task-world.ts";
import { tempDir } from "../../../../test/support/temp-dir.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import type { Task } from "../../record/task.ts";
import { connectWhenReady } from "./connect-when-ready.ts";
import { ptyCommand } from "./pty-command.ts";

const outputOf = ({ files }: Task): string => fs.readFileSync(files.output, "utf8");

function programOf(pid: number): string {
  const comm = `${realProc}/${pid}/comm`;
  return fs.existsSync(comm) ? fs.readFileSync(comm, "utf8").trim() : "";
}

async function startTty(world: TaskWorld, command: string): Promise<Task> {
  return world.tasks.start({ command, cwd: world.cwd, tty: true });
}

describe("a task with a terminal", () => {
  test("has one on all three streams, and the caller's environment", async () => {
    await using world = taskWorld({ env: { ...basicEnv, MINE: "it's" } });
    const { stdout, stderr, state } = await world.run(
      "tty; test -t 0 -a -t 1 -a -t 2 && echo yes $MINE $TERM",
      { tty: true },
    );
    expect(stdout).toMatch(/^\/dev\/pts\/\d+\r\nyes it's xterm-256color\r\n$/);
    expect({ stderr, state }).toMatchObject({ stderr: "", state: { status: "completed" } });
  });

  test.each([
    { command: "exit 7", state: { status: "failed", exitCode: 7, reason: "exit" } },
    { command: "kill -9 $$", state: { status: "failed", exitCode: 137, signal: "SIGKILL" } },
    { command: "no-such-command", state: { status: "failed", exitCode: 127 } },
    { command: "sleep 300", state: { status: "failed", reason: "timeout" }, timeoutMs: 1500 },
    { command: "-x || exit 9", state: { status: "failed", exitCode: 9 } },
  ])("ends as its program does: $command", async ({ command, state, timeoutMs }) => {
    await using world = taskWorld();
    expect((await world.run(command, { tty: true, timeoutMs })).state).toMatchObject(state);
  });

  test("writes every byte of its program, also what is no text", async () => {
    await using world = taskWorld();
    const command = "stty -opost; head -c 300000 /dev/urandom > bytes; cat bytes";
    const { task } = await world.run(command, { tty: true });
    const hash = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
    expect(hash(task.files.output)).toBe(hash(path.join(world.cwd, "bytes")));
  });

  test("takes what is sent at once after its start", async () => {
    await using world = taskWorld();
    const task = await startTty(world, "read line; echo got $line");
    await world.tasks.send(task, "hello\r");
    expect((await world.ended(task)).stdout).toContain("got hello\r\n");
    await expect(world.tasks.send(task, "x")).rejects.toMatchObject({ code: "no_stdin" });
  });

  test("loses nothing of what is sent while its program prints without pause", async () => {
    await using world = taskWorld();
    const command =
      "yes noise & noise=$!; for i in 1 2 3 4 5; do read line; done; kill $noise; echo got $line";
    const task = await startTty(world, command);
    for (const number of [1, 2, 3, 4, 5]) await world.tasks.send(task, `${number}\r`);
    await world.ended(task);
    expect(outputOf(task).slice(-200)).toContain("got 5\r\n");
  });

  test("follows the size of who is attached, and gives him what is printed to the last byte", async () => {
    await using world = taskWorld();
    const task = await startTty(
      world,
      "trap 'stty size; exit 3' WINCH; echo ready; while :; do sleep 0.05; done",
    );
    await waitFor(() => outputOf(task).includes("ready"));
    const connection = await connectWhenReady(task);
    let got = "";
    connection.socket.setEncoding("utf8").on("data", (text: string) => (got += text));
    const closed = new Promise((resolve) => connection.socket.on("close", resolve));
    await connection.send({ attach: true });
    await connection.send({ resize: { columns: 132, rows: 50 } });
    expect((await world.ended(task)).state).toMatchObject({ exitCode: 3 });
    await closed;
    expect(got).toBe('{"from":7}\n50 132\r\n');
    expect(outputOf(task)).toBe("ready\r\n50 132\r\n");
  });

  test("survives nonsense from who is attached, and his death", async () => {
    await using world = taskWorld();
    const task = await startTty(world, "read line; stty size; echo got $line");
    const connection = await connectWhenReady(task);
    for (const line of [
      "",
      "null",
      "[]",
      "{}",
      "7",
      "{",
      '{"resize":null}',
      '{"resize":{"columns":"x","rows":-1}}',
      '{"resize":{"columns":1e9,"rows":1e9}}',
      '{"input":7}',
    ])
      connection.socket.write(`${line}\n`);
    connection.socket.destroy();
    await world.tasks.send(task, "still\r");
    expect((await world.ended(task)).stdout).toContain("24 80\r\ngot still\r\n");
  });

  test("is interrupted by Ctrl+C", async () => {
    await using world = taskWorld();
    const task = await startTty(world, "echo ready; sleep 300");
    // A dash that is about to start a program keeps an interrupt to itself, and the program does not hear of it.
    await waitFor(() => markedProcesses(task.record.id).some((pid) => programOf(pid) === "sleep"));
    await world.tasks.send(task, "\x03");
    expect((await world.ended(task)).state).toMatchObject({
      status: "failed",
      exitCode: 130,
      signal: "SIGINT",
    });
  });

  test("tells its program once that it is to stop", async () => {
    await using world = taskWorld();
    // Long enough that it is found before it ends.
    const tenths = isWithoutProc ? 40 : 10;
    const task = await startTty(
      world,
      `trap 'echo told' TERM; echo ready; n=0; while [ $n -lt ${tenths} ]; do sleep 0.1; n=$((n+1)); done; exit 5`,
    );
    await waitFor(() => outputOf(task).includes("ready"));
    const state = await world.tasks.stop(task, { by: "test", graceMs: 8000 });
    expect(state).toMatchObject({ status: "stopped", exitCode: 5 });
    expect(outputOf(task).match(/told/g)).toHaveLength(1);
    expect(markedProcesses(task.record.id)).toEqual([]);
  });

  test("is found below folders whose names are longer than an address", async () => {
    const cwd = path.join(tempDir(), ...Array.from({ length: 4 }, () => "z".repeat(60)));
    fs.mkdirSync(cwd, { recursive: true });
    await using world = taskWorld({ cwd });
    const task = await startTty(world, "read line; echo got $line");
    await world.tasks.send(task, "far\r");
    expect((await world.ended(task)).stdout).toContain("got far");
  });

  test("tells its program to stop that was started when its time was up already", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    const files = { ...task.files, endingDraft: path.join(world.cwd, "draft") };
    // As a watcher does, before it looks for processes; it finds the host, but no program yet.
    fs.writeFileSync(files.endingDraft, "timeout".padEnd(512));
    const program = "trap 'echo told; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    const { shell, command } = ptyCommand(files, { shell: "/bin/sh", command: program });
    const env = { ...basicEnv, HOLDFAST_TASK_ID: files.id };
    const host = spawn(shell, ["-c", command], { env, cwd: world.cwd, stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    host.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    await waitFor(() => printed.includes("ready"));
    host.kill("SIGTERM");
    expect(await once(host, "close")).toEqual([5, null]);
    expect(printed).toBe("ready\r\ntold\r\n");
  });
});
