import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { holdfastPaths, projectKey } from "../../format/paths.ts";
import { scriptedRunner, type ScriptStep } from "../runners/scripted/index.ts";
import { openSessionStore } from "../../store/index.ts";
import { tempDir, waitFor } from "../../../test/support/index.ts";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { OpenThreads } from "./open-threads.ts";
import type { ThreadsEvent } from "./thread-event.ts";

interface Opened extends AsyncDisposable {
  tasks: TaskWorld;
  /** Everything that was told, in its order. */
  told: ThreadsEvent[];
  threads: OpenThreads;
  /** Lets the script go on. */
  goOn(): void;
}

// Conversations on real files and tasks, with an agent that says two things and waits in between.
async function open(): Promise<Opened> {
  const tasks = taskWorld();
  const gate = path.join(tempDir(), "go");
  const steps: ScriptStep[] = [{ text: "begun" }, { waitFor: gate }, { text: "done" }];
  const told: ThreadsEvent[] = [];
  const threads = new OpenThreads(
    {
      sessions: openSessionStore({ home: tasks.home, configDir: tempDir() }),
      tasks: tasks.tasks,
      agents: tasks.agents,
      runner: scriptedRunner({ steps }),
      spec: { name: "scripted" },
      permission: "allow",
      configDir: tasks.configDir,
      cwd: tasks.cwd,
      userHome: tasks.cwd,
      env: {},
    },
    {
      tell: (event) => void told.push(event),
      takeNotices: async () => [],
      onIdle: () => {},
      onChanged: () => {},
    },
  );
  await threads.begin();
  return {
    tasks,
    told,
    threads,
    goOn: () => fs.writeFileSync(gate, ""),
    async [Symbol.asyncDispose]() {
      for (const { main } of threads.listBackground()) await main.result;
      await threads.front.stop();
      await threads.closeAll();
      await tasks[Symbol.asyncDispose]();
    },
  };
}

const shows = ({ told }: Opened, text: string): Promise<true> =>
  waitFor(() => JSON.stringify(told).includes(text) || undefined);

describe("OpenThreads", () => {
  test("has one conversation in front while queries come and go", async () => {
    await using opened = await open();
    const { threads, told } = opened;
    const asked = threads.say("first");
    await shows(opened, "begun");
    const main = await threads.background();
    await asked;
    const id = main!.task.record.id;
    expect(threads.listBackground()).toMatchObject([{ prompt: "first", isRunning: true, needsInput: false }]);
    expect(told.at(-1)).toMatchObject({ kind: "fronted", sessionId: threads.front.session.id });
    // Its own background commands are its news, that it ended itself is not.
    const { sessionId } = main!.task.record;
    expect(threads.readerOf({ taskId: "b00000000", sessionId: sessionId! })).toBe(sessionId);
    expect(threads.readerOf({ taskId: id, sessionId: sessionId! })).toBe(threads.front.session.id);

    expect(await threads.foreground(id)).toBeUndefined();
    expect([threads.frontTaskId, main!.isForeground, threads.listBackground()]).toEqual([id, true, []]);
    expect((await threads.background())?.task.record.id).toBe(id);
    expect(main!.isForeground).toBe(false);
    opened.goOn();
    expect((await main!.result).outcome).toEqual({ status: "completed" });
    await waitFor(() => threads.listBackground()[0]?.isRunning === false);
    await threads.drop(id);
    expect(threads.listBackground()).toEqual([]);
  });

  test("backgrounds a query that runs when another conversation is begun", async () => {
    await using opened = await open();
    const asked = opened.threads.say("first");
    await shows(opened, "begun");
    await opened.threads.begin();
    await asked;
    expect(opened.threads.listBackground()).toMatchObject([{ prompt: "first", isRunning: true }]);
    opened.goOn();
  });

  test("ends a query that cannot go to the background, and keeps it in front", async () => {
    await using opened = await open();
    const { threads, tasks } = opened;
    const asked = threads.say("first");
    await shows(opened, "begun");
    const dir = holdfastPaths(tasks.home).tasksDir(projectKey(tasks.cwd));
    fs.mkdirSync(path.dirname(dir), { recursive: true });
    fs.writeFileSync(dir, "in the way");
    await expect(threads.background()).rejects.toThrow(dir);
    await asked;
    expect([threads.front.isRunning, threads.listBackground()]).toEqual([false, []]);
    await shows(opened, "Request interrupted by user");
    fs.rmSync(dir);
  });
});
