import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { isAlive, taskHome } from "./task-cli.ts";

interface Notices {
  notices: { taskId: string; status: string; summary: string; text: string }[];
}

describe("holdfast notices", () => {
  test("lists what ended untold, with the text for a conversation, until it is taken", async () => {
    await using home = taskHome();
    expect((await home.holdfast("notices")).stderr).toBe("No notices.\n");
    const id = await home.start(
      "--wait",
      "--session",
      "s-1",
      "--description",
      "the </task-id> tests",
      "--",
      "exit 2",
    );
    const { notices } = await home.json<Notices>("notices");
    const { outputFile } = await home.json<{ outputFile: string }>("inspect", id);
    expect(notices).toEqual([
      {
        taskId: id,
        status: "failed",
        summary: 'Background command "the </task-id> tests" failed with exit code 2',
        text: expect.stringContaining(`<task-id>${id}</task-id>\n<output-file>${outputFile}</output-file>`),
        sessionId: "s-1",
        cwd: home.cwd,
        endedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(notices[0]?.text.match(/<\/task-id>/g)).toHaveLength(1);
    expect((await home.holdfast("notices")).stdout).toMatch(
      new RegExp(`^ID .*NOTICE\n${id} +now +Background`),
    );
    const taken = await home.json<Notices>("notices", "--session", "s-1", "--consume");
    expect(taken.notices).toEqual(notices);
    expect((await home.json<Notices>("notices")).notices).toEqual([]);
    expect(await home.json("inspect", id)).toMatchObject({ notice: { status: "consumed", by: "s-1" } });
  });

  test("goes to the session that launched it, and says nothing of a muted task", async () => {
    await using home = taskHome();
    const mine = await home.start("--wait", "--session", "mine", "--", "true");
    await home.start("--wait", "--session", "mine", "--mute", "--", "true");
    const anyones = await home.start("--", "true");
    await home.untilEnded(anyones);
    const ids = async (...args: string[]): Promise<string[]> =>
      (await home.json<Notices>("notices", ...args)).notices.map(({ taskId }) => taskId);
    // The session is gone (no client has it open), so that the next one of the project is told.
    expect(await ids("--session", "next")).toEqual([mine, anyones]);
    expect(await ids()).toEqual([mine, anyones]);
  });

  test("gives each notice to exactly one of several that take them at once", async () => {
    await using home = taskHome();
    const ids: string[] = [];
    for (const command of ["true", "false", "exit 3"]) ids.push(await home.start("--", command));
    for (const id of ids) await home.untilEnded(id);
    const takers = await Promise.all(
      Array.from({ length: 4 }, () => home.json<Notices>("notices", "--consume")),
    );
    const taken = takers.flatMap(({ notices }) => notices.map(({ taskId }) => taskId));
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test("comes once for a task whose launcher was killed, which has its ending and its whole output", async () => {
    await using home = taskHome();
    const launcher = home.spawn(
      "run",
      "--wait",
      "--stdin",
      "--",
      "seq 1 1000; read line; seq 1001 2000; exit 3",
    );
    const id = await waitFor(() => /^b\w{8}(?=\n)/.exec(launcher.stdout)?.[0]);
    launcher.kill("SIGKILL");
    expect(await launcher.ended()).toMatchObject({ signal: "SIGKILL" });
    expect(isAlive(launcher.pid)).toBe(false);
    expect(await home.json("inspect", id)).toMatchObject({ status: "running" });
    await home.holdfast("send", id, "go on");
    await home.untilEnded(id);
    const { stdout } = await home.holdfast("logs", id);
    expect(stdout).toBe(Array.from({ length: 2000 }, (_, index) => `${index + 1}\n`).join(""));
    const takers = await Promise.all([1, 2].map(() => home.json<Notices>("notices", "--consume")));
    expect(takers.flatMap(({ notices }) => notices)).toMatchObject([{ taskId: id, status: "failed" }]);
    expect((await home.holdfast("wait", id)).code).toBe(3);
  });
});

describe("holdfast events", () => {
  test("tells starts and ends of all tasks, whoever causes them, until Ctrl+C", async () => {
    await using home = taskHome();
    const events = home.spawn("events", "--jsonl");
    const people = home.spawn("events");
    const running = await home.start("--name", "before", "--stdin", "--", "read line");
    await waitFor(() => events.stdout.includes(running) && people.stdout.includes(running));
    const id = await home.start("--wait", "--", "exit 1");
    await home.holdfast("send", running, "go");
    await waitFor(() => events.stdout.split("\n").length === 7);
    await waitFor(() => people.stdout.split("\n").length === 5);
    for (const command of [events, people]) command.kill("SIGINT");
    const { code, stdout } = await events.ended();
    expect(code).toBe(130);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { task_id: string; subtype: string; status?: string });
    const of = (wanted: string): string[] =>
      told.filter(({ task_id }) => task_id === wanted).map(({ subtype }) => subtype);
    const life = ["task_started", "task_updated", "task_notification"];
    expect([of(running), of(id)]).toEqual([life, life]);
    expect((await people.ended()).stdout).toMatch(
      new RegExp(`\\d\\d:\\d\\d:\\d\\d {2}${id} {2}Background command "exit 1" failed with exit code 1\n`),
    );
  });
});
