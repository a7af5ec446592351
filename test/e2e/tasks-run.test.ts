import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { taskHome } from "./task-cli.ts";

interface TaskJson {
  id: string;
  status: string;
  [key: string]: unknown;
}

const ID = /^b[0-9a-z]{8}$/;

describe("holdfast run", () => {
  test("prints the id, and with --json what a program needs to know", async () => {
    await using home = taskHome();
    const { code, stdout, stderr } = await home.holdfast("run", "--", "echo hello");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim()).toMatch(ID);
    const started = await home.json<TaskJson>("run", "--name", "it", "--session", "s-1", "--", "sleep 60");
    const outputFile = path.join(
      home.home,
      "projects",
      home.cwd.replaceAll(/[^A-Za-z0-9]/g, "-"),
      "tasks",
      `${started.id}.output`,
    );
    expect(started).toEqual({
      schemaVersion: 1,
      id: expect.stringMatching(ID),
      kind: "local_bash",
      status: "running",
      name: "it",
      description: "sleep 60",
      command: "sleep 60",
      cwd: home.cwd,
      sessionId: "s-1",
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      endedAt: null,
      exitCode: null,
      signal: null,
      pid: expect.any(Number),
      outputFile,
    });
    const { tasks } = await home.json<{ tasks: TaskJson[] }>("ps");
    expect(tasks).toEqual([{ ...started, schemaVersion: undefined }]);
  });

  test("gives a command its words as they were typed, its folder and its variables", async () => {
    await using home = taskHome();
    const words = ["two words", "it's", "$HOME", "*", "", "a\\b", "grüße", "--json"];
    fs.mkdirSync(path.join(home.cwd, "below"));
    const options = ["--wait", "--cwd", "below", "-e", "A=1=1", "-e", "B=two words"];
    const script = 'printf "[%s]" "$@"; printf "\\n%s|%s|%s" "$A" "$B" "$PWD"';
    const { code, stdout } = await home.holdfast("run", ...options, "--", "sh", "-c", script, "sh", ...words);
    expect(code).toBe(0);
    const { stdout: output } = await home.holdfast("logs", stdout.trim());
    expect(output).toBe(
      `${words.map((word) => `[${word}]`).join("")}\n1=1|two words|${path.join(home.cwd, "below")}`,
    );
  });

  test("takes one argument as a line for the shell", async () => {
    await using home = taskHome();
    await home.holdfast("run", "--wait", "--name", "line", "echo one && echo $((1 + 1)) | cat");
    expect((await home.holdfast("logs", "line")).stdout).toBe("one\n2\n");
  });

  test("--wait passes on what became of it, in words and as the exit code", async () => {
    await using home = taskHome();
    const [good, bad, killed, missing, late] = await Promise.all([
      home.holdfast("run", "--wait", "--", "true"),
      home.holdfast("run", "--wait", "--", "exit 7"),
      home.holdfast("run", "--wait", "--", "kill -9 $$"),
      home.holdfast("run", "--wait", "--", "no-such-command"),
      home.holdfast("run", "--wait", "--timeout", "300ms", "--", "sleep 60"),
    ]);
    expect([good, bad, killed, missing, late].map((each) => each?.code)).toEqual([0, 7, 137, 127, 124]);
    expect(good?.stderr).toBe("");
    const said = [bad, killed, missing, late].map((each) => each?.stderr.split(/ b\w{8} |\. /)[1]);
    expect(said).toEqual([
      "failed (exit code 7)",
      "failed (SIGKILL)",
      "failed (127: command not found)",
      "failed (timeout)",
    ]);
    expect(missing?.stderr).toContain(`Its output: holdfast logs ${missing?.stdout.trim()}\n`);
  });

  test("merges, limits, sandboxes and slows down as asked", async () => {
    await using home = taskHome();
    const [merged, limited, sandboxed, nice] = await Promise.all([
      home.json<TaskJson>("run", "--wait", "--merge", "--", "echo out; echo err >&2"),
      home.json<TaskJson>("run", "--wait", "--max-output", "1k", "--", "yes | head -c 100000; sleep 60"),
      home.json<TaskJson>("run", "--wait", "--sandbox", "--", 'ls -ld "$TMPDIR" | cut -c 1-10'),
      home.json<TaskJson>("run", "--wait", "--nice", "7", "--", "nice"),
    ]);
    const logs = async ({ id }: TaskJson): Promise<string> => (await home.holdfast("logs", id)).stdout;
    expect(await logs(merged)).toBe("out\nerr\n");
    expect(limited).toMatchObject({ status: "failed", reason: "output-limit" });
    expect(await logs(sandboxed)).toBe("drwx------\n");
    expect(await logs(nice)).toBe("7\n");
  });

  test("--follow shows its output as it comes, and ends with its exit code", async () => {
    await using home = taskHome();
    const { code, stdout, stderr } = await home.holdfast("run", "-f", "--", "echo out; echo err >&2; exit 3");
    expect({ code, stdout }).toEqual({ code: 3, stdout: "out\n" });
    expect(stderr).toMatch(/^Task b\w+\. Ctrl\+C leaves it running\.\nerr\n/);
  });

  test("--follow leaves it running on Ctrl+C", async () => {
    await using home = taskHome();
    const terminal = home.spawnOnTerminal(["run", "--follow", "--name", "on", "--", "echo ready; sleep 60"]);
    await terminal.shows("ready");
    terminal.type("\u0003");
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen).toMatch(/Task b\w+ keeps running\. Stop it: holdfast stop b/);
    expect(await home.json("inspect", "on")).toMatchObject({ status: "running" });
  });

  test("--after starts it when the others have ended, and ps shows its place", async () => {
    await using home = taskHome();
    await home.start("--name", "first", "--stdin", "read line; echo $line >> order");
    const second = await home.start("--name", "second", "--after", "first", "echo second >> order");
    const { tasks } = await home.json<{ tasks: TaskJson[] }>("ps");
    expect(tasks.find(({ id }) => id === second)).toMatchObject({ status: "queued", place: 1 });
    expect((await home.holdfast("ps")).stdout).toMatch(/queued #1 .*second: echo second/);
    await home.holdfast("send", "first", "first");
    expect((await home.holdfast("wait", "first", "second")).code).toBe(0);
    expect(fs.readFileSync(path.join(home.cwd, "order"), "utf8")).toBe("first\nsecond\n");
  });
});
