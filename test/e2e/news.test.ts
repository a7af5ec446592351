import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import { waitFor } from "../support/index.ts";
import { bashLaunch, hookHome, type HookHome } from "./hook-cli.ts";
import { run } from "./cli.ts";

const SHELL = "b1234abcd";
const GONE = 4_194_300;

interface Notices {
  notices: { taskId: string; summary: string; text: string }[];
}

const untold = async (home: HookHome): Promise<string[]> =>
  (await home.json<Notices>("notices")).notices.map(({ taskId }) => taskId);

const consume = async (home: HookHome): Promise<string[]> =>
  (await home.json<Notices>("notices", "--consume")).notices.map(({ taskId }) => taskId);

/** A process that stands for a client, until it is killed. */
function startClient(): ChildProcess & AsyncDisposable {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  return Object.assign(child, { [Symbol.asyncDispose]: () => killed(child) });
}

async function killed(client: ChildProcess): Promise<void> {
  client.kill("SIGKILL");
  await waitFor(() => client.signalCode !== null);
}

/** As the client does with what a hook said: it is in the transcript from the next prompt on. */
function writeTranscript(home: HookHome, session: string, text: string): void {
  const file = path.join(home.configDir, "projects", projectKey(home.cwd), `${session}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const attachment = { type: "hook_additional_context", content: [text], hookEvent: "SessionStart" };
  fs.appendFileSync(file, `${JSON.stringify({ type: "attachment", attachment })}\n`);
}

describe("an ending", () => {
  test("that a hook told to another session of the project is told to nobody else, but to its own session", async () => {
    await using home = hookHome();
    const id = await home.start("--wait", "--session", "s-1", "--", "exit 3");
    expect(await home.told("SessionStart", { source: "startup" }, { session: "s-2" })).toContain(id);
    expect(await consume(home)).toEqual([]);
    expect(await home.told("SessionStart", { source: "startup" }, { session: "s-3" })).toBe("");
    expect(await home.told("SessionStart", { source: "resume" }, { session: "s-1" })).toContain(id);
    expect(await home.told("UserPromptSubmit", { prompt: "x" }, { session: "s-1" })).toBe("");
  });

  test("that its own session read is told to it no more, though another session was told in its stead", async () => {
    await using home = hookHome();
    const id = await home.start("--wait", "--session", "s-1", "--", "exit 3");
    await home.json("notices", "--consume", "--session", "s-2");
    await run(["output", id], { home, env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
    expect(await home.told("SessionStart", { source: "resume" }, { session: "s-1" })).toBe("");
  });

  test.each(["a task of Holdfast", "a command of the client"])(
    "of %s is told to one of eight sessions that start at once",
    async (kind) => {
      await using home = hookHome();
      if (kind === "a task of Holdfast") await home.start("--wait", "--session", "s-1", "--", "exit 3");
      else await home.send("PostToolUse", bashLaunch(SHELL), { clientPid: GONE });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          home.told("SessionStart", { source: "startup" }, { session: `new-${n}` }),
        ),
      );
      expect(answers.filter((answer) => answer !== "")).toHaveLength(1);
    },
  );

  test("stays news when standard output takes nothing, which is said in one sentence", async () => {
    await using home = hookHome();
    const id = await home.start("--", "exit 3");
    await home.untilEnded(id);
    for (const more of [[], ["--json"]]) {
      const { code, stderr } = await home.intoFullDisk("notices", "--consume", ...more);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "holdfast: Cannot write: the disk is full; free some space and try again\n",
      });
    }
    expect(await consume(home)).toEqual([id]);
    expect(await consume(home)).toEqual([]);
  });

  test("is confirmed by the transcript that holds it, and by nothing else", async () => {
    await using home = hookHome();
    const id = await home.start("--wait", "--session", "s-1", "--", "exit 3");
    await using client = startClient();
    const from = { session: "s-1", clientPid: client.pid! };
    const told = await home.told("SessionStart", { source: "resume" }, from);
    expect(told).toContain(`notice n-${id}`);
    // The client holds it, and sends it with the next prompt, whenever that comes.
    expect(await home.told("UserPromptSubmit", { prompt: "x" }, from)).toBe("");
    expect(await home.json("inspect", id)).toMatchObject({ notice: { status: "queued" } });
    writeTranscript(home, "s-1", told);
    await killed(client);
    expect(await home.told("SessionStart", { source: "resume" }, { session: "s-1" })).toBe("");
    expect(await home.json("inspect", id)).toMatchObject({ notice: { status: "consumed", by: "s-1" } });
    expect(home.manifest().at(-1)).toMatchObject({ agent_id: id, status: "seen", session_id: "s-1" });
    expect(fs.readdirSync(path.join(home.home, "offers"))).toEqual([]);
  });

  test.each(["a task of Holdfast", "a command of the client"])(
    "of %s is told again, with the same id, when the client is gone and its transcript does not hold it",
    async (kind) => {
      await using home = hookHome();
      const isOurs = kind === "a task of Holdfast";
      const id = isOurs ? await home.start("--wait", "--session", "s-1", "--", "exit 3") : SHELL;
      if (!isOurs) await home.send("PostToolUse", bashLaunch(SHELL), { clientPid: GONE });
      await using client = startClient();
      const first = await home.told(
        "SessionStart",
        { source: "startup" },
        { session: "s-2", clientPid: client.pid! },
      );
      expect(first).not.toContain("may be a repetition");
      await killed(client);
      const again = await home.told("SessionStart", { source: "startup" }, { session: "s-3" });
      for (const told of [first, again]) expect(told).toContain(`notice n-${id}`);
      expect(again).toContain("may be a repetition");
    },
  );

  test("is not taken by a hook that waits for a client that was killed", async () => {
    await using home = hookHome();
    const id = await home.start("--session", "s-1", "--stdin", "--", "read line");
    await using client = startClient();
    const input = JSON.stringify({ session_id: "s-1", cwd: home.cwd, hook_event_name: "Stop" });
    const env = { CLAUDE_PID: String(client.pid) };
    const waking = run(["hook", "--wake"], { home, input, env });
    await waitFor(() => fs.existsSync(path.join(home.home, "running")));
    await killed(client);
    // Without another task's end: it looks after its client by itself.
    expect(await waking).toMatchObject({ code: 0, stderr: "" });
    await home.holdfast("send", id, "go");
    await waitFor(async () => (await untold(home)).includes(id));
    expect(await home.told("SessionStart", { source: "resume" }, { session: "s-1" })).toContain(id);
  });
});
