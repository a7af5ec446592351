import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Launched } from "../../src/index.ts";
import { projectKey } from "../../src/format/paths.ts";
import { waitFor } from "../support/index.ts";
import { agentLaunch, bashLaunch, hookHome, notification } from "./hook-cli.ts";
import { run } from "./cli.ts";

interface Recovered {
  schemaVersion: number;
  running: { id: string; status: string; knownBy: string[]; description: string; outputFile?: string }[];
  finishedUnseen: { id: string; status: string; result?: string }[];
  lost: { id: string; detail: string }[];
  duplicates: { ids: string[] }[];
}

const AGENT = "a0123456789abcdef";

describe("holdfast recover", () => {
  test("says that there is nothing, and how to look further", async () => {
    await using home = hookHome();
    expect(await home.holdfast("recover")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing to recover here. Every project: holdfast recover --all\n",
    });
    const { running, ...others } = await home.json<Recovered>("recover", "--all");
    // Clients of other people may run on this machine.
    expect(running.filter(({ outputFile = "" }) => outputFile.startsWith(home.userHome))).toEqual([]);
    expect(others).toEqual({
      schemaVersion: 1,
      finishedUnseen: [],
      lost: [],
      leftToClient: [],
      seen: [],
      duplicates: [],
    });
  });

  test("shows Holdfast's work and the client's in one view, with how it is known", async () => {
    await using home = hookHome();
    const running = await home.start("--description", "a long one", "--", "sleep 1000");
    const twin = await home.start("--description", "the same", "--", "sleep 1000");
    const finished = await home.start("--", "echo first; echo last");
    await home.untilEnded(finished);
    await home.send("PostToolUse", agentLaunch(AGENT));
    await home.send("PostToolUse", bashLaunch("b0000lost"), { clientPid: 4_194_304 });
    const found = await home.json<Recovered>("recover");
    expect(found.running.map(({ id }) => id).toSorted()).toEqual([AGENT, running, twin].toSorted());
    expect(found.finishedUnseen).toMatchObject([
      { id: finished, status: "completed", result: "first\nlast" },
    ]);
    expect(found.lost).toMatchObject([
      { id: "b0000lost", detail: expect.stringContaining("output file is gone") },
    ]);
    expect(found.duplicates).toMatchObject([{ ids: expect.arrayContaining([running, twin]) }]);
    const { stdout } = await home.holdfast("recover");
    expect(stdout).toMatch(
      /^Finished, not yet told to anybody \(1\)\n.*completed \(0\).*\n {6}first\n {6}last\n/,
    );
    expect(stdout).toContain("Lost: gone, and nobody knows how they ended (1)");
    expect(stdout).toMatch(/Running \(3\)\n/);
    expect(stdout).toContain("The same work more than once (1)");
    await home.send("UserPromptSubmit", { prompt: notification(AGENT) });
    expect((await home.json<Recovered>("recover")).running.map(({ id }) => id)).not.toContain(AGENT);
  });

  test("fits a narrow window and strips what a terminal would obey", async () => {
    await using home = hookHome();
    await home.start(
      "--wait",
      "--description",
      "a\u001b[31mred one",
      "--",
      "printf 'x\\033]0;title\\007%0100d' 1",
    );
    const { stdout } = await run(["recover"], { home, env: { COLUMNS: "60", FORCE_COLOR: "0" } });
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
  });

  test("--today and --since list every launch, whatever was told of it, with prompt and machine", async () => {
    await using home = hookHome();
    const own = await home.start("--wait", "--description", "a short one", "--", "echo 4711");
    const gone = await home.start("--wait", "--", "echo gone");
    await home.json("notices", "--consume");
    await home.json("rm", gone);
    await home.send("PostToolUse", agentLaunch(AGENT));
    await home.send("UserPromptSubmit", { prompt: notification(AGENT) });
    await home.send("PostToolUse", agentLaunch(AGENT, "Count them again"));
    await home.send("PostToolUse", bashLaunch("b0000lost"), { clientPid: 4_194_304 });
    expect(await home.json<Recovered>("recover")).toMatchObject({
      finishedUnseen: [],
      running: [{ id: AGENT }],
    });
    const { launches } = await home.json<{ launches: Launched[] }>("recover", "--today");
    const machine = os.hostname();
    expect(launches.map(({ id, status, prompt }) => [id, status, prompt])).toEqual([
      ["b0000lost", "lost", "npm test"],
      [AGENT, "running", "Count them again"],
      [AGENT, "completed", "Count the files"],
      [gone, "removed", "echo gone"],
      [own, "completed", "echo 4711"],
    ]);
    expect(launches.map((item) => item.machine)).toEqual(launches.map(() => machine));
    expect((await home.holdfast("recover", "--since", "1h")).stdout).toContain(
      `${own}  completed (0)  now  ${machine}  a short one\n      echo 4711\n`,
    );
    const elsewhere = await home.holdfast("recover", "--today", "-C", "/");
    expect(elsewhere).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Everywhere: --all"),
    });
    const everywhere = await home.json<{ launches: Launched[] }>("recover", "--today", "--all");
    expect(everywhere.launches.filter(({ cwd }) => cwd === home.cwd)).toEqual(launches);
    expect(await home.holdfast("recover", "--today", "--brief")).toMatchObject({ code: 2 });
  });

  test("--brief gives the text that a session would be given, and takes nothing", async () => {
    await using home = hookHome();
    const id = await home.start("--wait", "--session", "s-1", "--", "echo 4711");
    for (const _ of [1, 2]) {
      const { stdout } = await home.holdfast("recover", "--brief", "--session", "s-1");
      expect(stdout).toMatch(new RegExp(`command ${id} .* by this session[\\s\\S]*4711`));
    }
    expect(await home.json("notices")).toMatchObject({ notices: [{ taskId: id }] });
  });

  test("finds by looking what no hook told of: background sessions, unfinished agents, running commands", async () => {
    await using home = hookHome();
    const job = path.join(home.configDir, "jobs", "j1");
    fs.mkdirSync(job, { recursive: true });
    const state = {
      state: "working",
      name: "refactoring",
      intent: "Refactor it",
      cwd: home.cwd,
      sessionId: "s-9",
    };
    fs.writeFileSync(path.join(job, "state.json"), JSON.stringify(state));
    const transcript = home.agentTranscript("s-8", AGENT);
    fs.mkdirSync(path.dirname(transcript), { recursive: true });
    fs.writeFileSync(transcript, `{"type":"user","cwd":${JSON.stringify(home.cwd)}}\n`);
    fs.writeFileSync(
      transcript.replace(".jsonl", ".meta.json"),
      JSON.stringify({ agentType: "Explore", description: "Counting", requestShape: "background" }),
    );
    const outputs = path.join(home.userHome, "claude-0", projectKey(home.cwd), "s-7", "tasks");
    fs.mkdirSync(outputs, { recursive: true });
    const fd = fs.openSync(path.join(outputs, "b7777abcd.output"), "a");
    const child = spawn("sleep", ["1000"], { cwd: home.cwd, stdio: ["ignore", fd, "ignore"] });
    fs.closeSync(fd);
    try {
      const found = await waitFor(async () => {
        const recovered = await home.json<Recovered>("recover");
        return recovered.running.length === 2 ? recovered : undefined;
      });
      expect(found.running.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        expect.objectContaining({
          id: "b7777abcd",
          description: "sleep 1000",
          knownBy: [`open output file of pid ${child.pid}`],
        }),
        expect.objectContaining({
          id: "j1",
          kind: "session",
          description: "refactoring",
          knownBy: ["job state"],
        }),
      ]);
      expect(found.lost).toMatchObject([{ id: AGENT, knownBy: ["agent meta", "transcript"], cwd: home.cwd }]);
    } finally {
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
    }
  });

  test("counts for a status line, by what the client tells it", async () => {
    await using home = hookHome();
    expect((await run(["statusline"], { home })).stdout).toBe("\n");
    await home.start("--", "sleep 1000");
    await home.start("--wait", "--session", "s-1", "--", "true");
    home.openSession("s-1");
    const input = (session_id: string): string =>
      JSON.stringify({ session_id, cwd: "/elsewhere", workspace: { project_dir: home.cwd } });
    const line = async (session: string): Promise<string> =>
      (await run(["statusline"], { home, input: input(session), cwd: home.userHome })).stdout;
    expect([await line("s-1"), await line("s-2")]).toEqual([
      "⚓ 1 running · 1 finished unseen\n",
      "⚓ 1 running\n",
    ]);
    expect(JSON.parse((await run(["statusline", "--json"], { home })).stdout)).toEqual({
      schemaVersion: 1,
      running: 1,
      finishedUnseen: 1,
      lost: 0,
    });
  });
});
