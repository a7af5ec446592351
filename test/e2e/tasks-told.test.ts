import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

interface Notices {
  notices: { taskId: string }[];
}

const untold = async (home: TaskHome): Promise<string[]> =>
  (await home.json<Notices>("notices")).notices.map(({ taskId }) => taskId);

const owned = { CLAUDE_CODE_SESSION_ID: "s-1" };
const readings: { name: string; command: string; read: (home: TaskHome, id: string) => Promise<unknown> }[] =
  [
    { name: "wait", command: "exit 3", read: (home, id) => home.holdfast("wait", id) },
    { name: "wait --json", command: "exit 3", read: (home, id) => home.json("wait", id) },
    { name: "stop", command: "sleep 60", read: (home, id) => home.holdfast("stop", id) },
    { name: "logs -f", command: "echo one", read: (home, id) => home.holdfast("logs", id, "-f") },
    { name: "output", command: "echo one", read: (home, id) => home.holdfast("output", id) },
    { name: "output --new", command: "echo one", read: outputNew },
  ];

async function outputNew(home: TaskHome, id: string): Promise<void> {
  await home.untilEnded(id);
  await home.holdfast("output", id, "--new", "me");
}

describe("an ending that the command line showed", () => {
  test.each(readings)("by $name is told to its owner", async ({ command, read }) => {
    await using home = taskHome(owned);
    const id = await home.start("--", command);
    await read(home, id);
    expect(await untold(home)).toEqual([]);
    expect(await home.json("inspect", id)).toMatchObject({
      notice: { status: "consumed", by: expect.stringMatching(/^(s-1|me)$/) as string },
    });
  });

  test.each(readings)("by $name is told to anybody when it has no session", async ({ command, read }) => {
    await using home = taskHome();
    const id = await home.start("--", command);
    await read(home, id);
    expect(await home.json("inspect", id)).toMatchObject({
      notice: { status: "consumed", by: expect.stringMatching(/^(cli:tester|me)$/) as string },
    });
  });

  test.each(readings)("by $name to somebody else is still news to its session", async ({ command, read }) => {
    await using home = taskHome();
    const id = await home.start("--session", "s-2", "--", command);
    await read(home, id);
    expect(await untold(home)).toEqual([id]);
  });

  test("by run --wait is told, and one that run --wait gave no time to is not", async () => {
    await using home = taskHome(owned);
    await home.holdfast("run", "--wait", "--", "exit 2");
    await home.json("run", "--wait", "--", "true");
    expect(await untold(home)).toEqual([]);
    const waiting = home.spawn("run", "--wait", "--stdin", "--", "read line");
    const id = await waitFor(() => /^b\w{8}(?=\n)/.exec(waiting.stdout)?.[0]);
    waiting.kill("SIGINT");
    await waiting.ended();
    await home.holdfast("send", id, "go");
    await waitFor(async () => (await untold(home)).includes(id));
  });

  test("by attach is told", async () => {
    await using home = taskHome(owned);
    const id = await home.start("--tty", "--", "read line");
    const terminal = home.spawnOnTerminal(["attach", id]);
    await terminal.shows("leaves it running");
    terminal.type("go\r");
    expect(await terminal.ended()).toBe(0);
    expect(await untold(home)).toEqual([]);
  });

  test("is not told by logs, ps or inspect, nor by a wait that saw only another one end", async () => {
    await using home = taskHome(owned);
    const id = await home.start("--", "true");
    await home.untilEnded(id);
    const running = await home.start("--stdin", "--", "read line");
    for (const args of [
      ["logs", id],
      ["ps", "-a"],
      ["inspect", id],
      ["wait", running, "--timeout", "10ms"],
    ])
      await home.holdfast(...args);
    await home.holdfast("send", running, "go");
    await waitFor(async () => (await untold(home)).length === 2);
    await home.holdfast("wait", running);
    expect(await untold(home)).toEqual([id]);
  });

  test.each([
    { name: "wait", args: ["wait"] },
    { name: "logs -f", args: ["logs", "-f"] },
    { name: "output", args: ["output"] },
  ])("stays news when $name cannot write", async ({ args: [verb = "", ...flags] }) => {
    await using home = taskHome(owned);
    const id = await home.start("--", "echo one");
    await home.untilEnded(id);
    expect((await home.intoFullDisk(verb, id, ...flags)).code).toBe(1);
    expect(await untold(home)).toEqual([id]);
  });
});
