import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { waitFor, type HoldfastRun } from "../support/index.ts";
import { realProc } from "../support/other-machine.ts";
import { playing } from "./chat-terminal.ts";
import { taskHome } from "./task-cli.ts";

describe("holdfast logs", () => {
  test("gives a pipe the bytes as they are, each stream its own", async () => {
    await using home = taskHome();
    await home.start("--wait", "--name", "raw", "--", "printf '\\033[31mred\\033[0m\\r\\n'; echo err >&2");
    expect(await home.holdfast("logs", "raw")).toMatchObject({
      code: 0,
      stdout: "\u001b[31mred\u001b[0m\r\n",
      stderr: "err\n",
    });
    expect(await home.holdfast("logs", "raw", "--stderr")).toMatchObject({ stdout: "err\n", stderr: "" });
    expect(await home.json("logs", "raw")).toMatchObject({
      stdout: "\u001b[31mred\u001b[0m\r\n",
      stderr: "err\n",
    });
    const id = await home.start("--wait", "--", "head -c 3000 /dev/urandom; printf '\\377\\303'");
    const { outputFile } = await home.json<{ outputFile: string }>("inspect", id);
    const { bytes } = await home.spawn("logs", id).ended();
    expect(bytes.equals(fs.readFileSync(outputFile))).toBe(true);
  });

  test("strips on a terminal whatever a terminal would obey", async () => {
    await using home = taskHome();
    await home.start("--wait", "--name", "bad", "--", "printf 'a\\033]0;title\\007\\033[2Jb\\033[31mc\\n'");
    const terminal = home.spawnOnTerminal(["logs", "bad"]);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen).toBe("abc\r\n");
  });

  test("--tail gives the last lines, and -f goes on from there until the task ends", async () => {
    await using home = taskHome();
    await home.start("--name", "talk", "--stdin", "--", "seq 1 20000; while read line; do echo $line; done");
    await waitFor(async () => (await home.holdfast("logs", "talk", "--tail", "1")).stdout === "20000\n");
    expect((await home.holdfast("logs", "talk", "--tail", "3")).stdout).toBe("19998\n19999\n20000\n");
    const follow = home.spawn("logs", "talk", "-f", "--tail", "2");
    await waitFor(() => follow.stdout === "19999\n20000\n");
    await home.holdfast("send", "talk", "grüße");
    await waitFor(() => follow.stdout === "19999\n20000\ngrüße\n");
    await home.holdfast("stop", "talk");
    expect(await follow.ended()).toMatchObject({ code: 0, stdout: "19999\n20000\ngrüße\n" });
  });

  test("--timestamps gives each line that comes its moment, and none to those that were there", async () => {
    await using home = taskHome();
    await home.start("--name", "talk", "--stdin", "--", "echo before; while read line; do echo $line; done");
    await waitFor(async () => (await home.holdfast("logs", "talk")).stdout === "before\n");
    const follow = home.spawn("logs", "talk", "-f", "--timestamps");
    await waitFor(() => follow.stdout === "-------------------  before\n");
    await home.holdfast("send", "talk", "now");
    await waitFor(() => /\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}now\n$/.test(follow.stdout));
    await home.holdfast("stop", "talk");
    expect((await follow.ended()).code).toBe(0);
    expect(await home.holdfast("logs", "talk", "--timestamps")).toMatchObject({ code: 2 });
  });

  test("--since shows all or nothing of a command, and refuses a moment in between", async () => {
    await using home = taskHome();
    const id = await home.start(
      "--name",
      "talk",
      "--stdin",
      "--",
      "echo before; while read line; do echo $line; done",
    );
    await waitFor(async () => (await home.holdfast("logs", "talk")).stdout === "before\n");
    const { outputFile } = await home.json<{ outputFile: string }>("inspect", id);
    const wrote = fs.statSync(outputFile).mtime;
    const started = new Date((await home.json<{ startedAt: string }>("inspect", id)).startedAt);
    const since = (moment: Date, ...more: string[]): Promise<HoldfastRun> =>
      home.holdfast("logs", "talk", "--since", moment.toISOString(), ...more);
    expect((await since(started)).stdout).toBe("before\n");
    const later = new Date(wrote.getTime() + 1);
    expect(await since(later)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(JSON.parse((await since(later, "--json")).stdout)).toMatchObject({ stdout: "", stderr: "" });
    const between = await since(new Date(started.getTime() + 1));
    expect([between.code, between.stdout]).toEqual([2, ""]);
    expect(between.stderr).toContain("It started just now and wrote just now; --tail shows the end");
    const follow = home.spawn("logs", "talk", "-f", "--since", later.toISOString());
    // It has found where to begin when it watches.
    await waitFor(() => opensOf(follow.pid).includes("anon_inode:inotify"));
    await home.holdfast("send", "talk", "now");
    await waitFor(() => follow.stdout === "now\n");
    await home.holdfast("stop", "talk");
    expect(await follow.ended()).toMatchObject({ code: 0, stdout: "now\n" });
  });

  test("--timestamps and --since go by what an agent's transcript says", async () => {
    await using home = taskHome();
    const script = playing({ "Look around": [{ text: "Hello" }] });
    await home.holdfast("agent", ...script, "--wait", "--name", "a", "Look around");
    expect((await home.holdfast("logs", "a", "-t")).stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d\n {2}Hello\n/);
    expect((await home.holdfast("logs", "a", "--since", "1h")).stdout).toContain("Hello");
    expect((await home.holdfast("logs", "a", "--since", "2999-01-01")).stdout).toBe("");
  });

  test("-f ends with the task and has all of it", async () => {
    await using home = taskHome();
    await home.start("--name", "count", "--", "for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; seq 6 5000");
    const { code, stdout } = await home.holdfast("logs", "count", "-f");
    const all = Array.from({ length: 5000 }, (_, index) => `${index + 1}\n`).join("");
    expect([code, stdout === all]).toEqual([0, true]);
  });

  test("Ctrl+C ends the looking with 130 and says that the task runs on", async () => {
    await using home = taskHome();
    const id = await home.start("--", "echo ready; sleep 60");
    const terminal = home.spawnOnTerminal(["logs", id, "-f"]);
    await terminal.shows("ready");
    terminal.type("\u0003");
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen).toContain(`Task ${id} keeps running. Stop it: holdfast stop ${id}`);
    const quiet = home.spawn("logs", id, "-f");
    await waitFor(() => quiet.stdout === "ready\n");
    quiet.kill("SIGINT");
    expect(await quiet.ended()).toMatchObject({ code: 130, stderr: "" });
    expect((await home.json<{ status: string }>("inspect", id)).status).toBe("running");
  });

  test("says when the output was removed from outside", async () => {
    await using home = taskHome();
    const id = await home.start("--wait", "--", "echo x");
    const { outputFile } = await home.json<{ outputFile: string }>("inspect", id);
    fs.rmSync(outputFile);
    expect(await home.holdfast("logs", id)).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `holdfast: Cannot show output of task "${id}": its file was removed\n`,
    });
  });
});

/** What a process has open. */
function opensOf(pid: number): string[] {
  const dir = `${realProc}/${pid}/fd`;
  return fs.readdirSync(dir).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`${dir}/${fd}`)];
    } catch {
      return [];
    }
  });
}
