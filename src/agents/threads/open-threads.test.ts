import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { holdfastPaths, projectKey } from "../../format/paths.ts";
import { scriptedRunner, type ScriptStep } from "../runners/scripted/index.ts";
import { textOf, toolResultsOf, toolUsesOf } from "../../format/entry-kinds.ts";
import { openSessionStore, type SessionStore } from "../../store/index.ts";
import type { ConversationOptions } from "../../store/read/conversation.ts";
import { listOwed } from "../../store/owed/owed-answer.ts";
import type { Runner } from "../../tasks/ports.ts";
import { readConversation } from "../../store/index.ts";
import { isOver } from "../../tasks/record/is-over.ts";
import { tempDir, waitFor } from "../../../test/support/index.ts";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { OpenThreads, type ThreadsWorld } from "./open-threads.ts";
import type { ThreadsEvent } from "./thread-event.ts";

interface Opened extends AsyncDisposable {
  tasks: TaskWorld;
  /** Everything that was told, in its order. */
  told: ThreadsEvent[];
  threads: OpenThreads;
  sessions: SessionStore;
  /** What a session's conversation says, in short. */
  texts: (sessionId: string, options?: ConversationOptions) => Promise<string[]>;
  /** Lets the script go on. */
  goOn(): void;
}

// Conversations on real files and tasks, with an agent that says two things and waits in between.
async function open({
  after = [],
  ...world
}: { after?: ScriptStep[] } & Partial<
  Pick<ThreadsWorld, "permission" | "limits" | "runner" | "spec">
> = {}): Promise<Opened> {
  const tasks = taskWorld();
  const gate = path.join(tempDir(), "go");
  // In a process of its own it goes on behind what it has said.
  const steps: ScriptStep[] = [
    { text: "begun" },
    { tool: "Read", result: "words" },
    ...after,
    { waitFor: gate },
    ...after,
    { text: "done" },
    { end: true },
    { text: "more" },
  ];
  const script = path.join(tempDir(), "script.json");
  fs.writeFileSync(script, JSON.stringify(steps));
  const sessions = openSessionStore({
    home: tasks.home,
    configDir: tasks.configDir,
    isTaskOver: async (task) => isOver(tasks.home, task),
  });
  const told: ThreadsEvent[] = [];
  const threads = new OpenThreads(
    {
      sessions,
      tasks: tasks.tasks,
      agents: tasks.agents,
      runner: scriptedRunner({ steps }),
      spec: { name: "scripted", script },
      permission: "allow",
      ...world,
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
    sessions,
    told,
    threads,
    async texts(sessionId, options) {
      const { entries } = await sessions.readConversation(await sessions.find(sessionId), options);
      return entries.map((entry) => {
        const results = toolResultsOf(entry).map(({ content }) => `result: ${content as string}`);
        return [...toolUsesOf(entry).map(({ name }) => `use: ${name}`), ...results, textOf(entry)].join("");
      });
    },
    goOn: () => fs.writeFileSync(gate, ""),
    async [Symbol.asyncDispose]() {
      for (const { main } of threads.listBackground()) await main.result;
      await threads.front.stop();
      await threads.closeAll();
      await tasks[Symbol.asyncDispose]();
    },
  };
}

// Waits behind its third request where it was begun, and never ends by itself where it goes on.
const ASKING_RUNNER = `
export default async function* (request, signal) {
  const isNew = request.messages.length < 2;
  for (let count = 1; ; count++) {
    await request.takeRequest({ model: "test", isRetry: false, inputTokens: () => 1, answerTokensMax: 1000 });
    const says = (text) => ({ kind: "assistant", message: {
      id: "msg_" + Math.random(), type: "message", role: "assistant", model: "test",
      content: [{ type: "text", text }], stop_reason: "tool_use", usage: { input_tokens: 1, output_tokens: 1 },
    } });
    yield says("asked " + count);
    if (isNew && count === 3) {
      yield { kind: "activity", text: "waiting" };
      await new Promise((resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
  }
}
`;

const transcriptIn = (link: string): string => fs.realpathSync(link);

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

  test("adds the answer of a query in the background to the session that it came from, when it ends", async () => {
    await using opened = await open();
    const { threads, texts, tasks } = opened;
    void threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    const main = await threads.background();
    expect(main!.task.record).toMatchObject({
      command: "scripted: first",
      agent: { prompt: "first", isOwed: true },
    });
    expect(listOwed(tasks.home, sessionId)).toMatchObject([{ task: { id: main!.task.record.id } }]);
    opened.goOn();
    await main!.result;
    const whole = ["first", "begun", "use: Read", "result: words", "done"];
    expect(await texts(sessionId)).toEqual(whole);
    await waitFor(() => listOwed(tasks.home, sessionId).length === 0);
    expect(await texts(sessionId, { withoutOwed: true })).toEqual(whole);
  });

  test("gives a query that is left a process of its own under the same id, which answers its session", async () => {
    await using opened = await open();
    const { threads, texts, tasks } = opened;
    void threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    const { task } = (await threads.background())!;
    const { id } = task.record;
    expect(await threads.leave()).toEqual({ sessionId: undefined, ended: [] });
    await threads.closeAll();
    const now = await tasks.tasks.find(id);
    await waitFor(async () => {
      const { state } = await tasks.tasks.refresh(now);
      return state.status === "running" && state.pid !== undefined && state.pid !== process.pid;
    });
    expect((await tasks.tasks.list({ all: true })).map(({ record }) => record.id)).toEqual([id]);
    expect(fs.existsSync(now.files.result)).toBe(false);
    expect(await texts(sessionId)).toEqual(["first", "begun", "use: Read", "result: words"]);
    opened.goOn();
    expect(await tasks.tasks.wait(now, { timeoutMs: 30_000 })).toMatchObject({ status: "completed" });
    const output = await tasks.agents.output(id, { by: "me", waitUpToSeconds: 1 });
    expect(output).toMatchObject({ status: "completed", content: [{ text: "done" }], totalToolUseCount: 1 });
    // The session is free, so the process that answered appended it itself.
    const said = await texts(sessionId, { withoutOwed: true });
    expect([said.slice(0, 4), said.at(-1)]).toEqual([
      ["first", "begun", "use: Read", "result: words"],
      "done",
    ]);
    expect(listOwed(tasks.home, sessionId)).toEqual([]);
    const [notice, ...others] = await tasks.tasks.notices({ sessionId });
    expect([notice, others]).toMatchObject([{ summary: 'Background session "first" completed' }, []]);
  });

  test("counts what a query used of its limits before it got a process of its own", async () => {
    await using opened = await open({ limits: { maxTurns: 3 }, after: [{ text: "again" }] });
    const { threads, tasks } = opened;
    void threads.say("first");
    await shows(opened, "again");
    const { task } = (await threads.background())!;
    await threads.leave();
    await threads.closeAll();
    opened.goOn();
    expect(await tasks.tasks.wait(task.record.id, { timeoutMs: 30_000 })).toMatchObject({ status: "failed" });
    expect(await tasks.agents.output(task.record.id, { by: "me" })).toMatchObject({
      error: expect.stringContaining("it took 3 turns, as many as it may") as string,
    });
  });

  test("counts the same of a runner that asks before each request", async () => {
    const module = path.join(tempDir(), "asking.mjs");
    fs.writeFileSync(module, ASKING_RUNNER);
    const spec = { name: "module", module, options: {} } as const;
    const runner = ((await import(module)) as { default: Runner }).default;
    await using opened = await open({ limits: { maxTurns: 5 }, runner, spec });
    const { threads, tasks } = opened;
    void threads.say("first");
    await shows(opened, "waiting");
    const { task } = (await threads.background())!;
    await threads.leave();
    await threads.closeAll();
    const ended = await tasks.tasks.wait(task.record.id, { timeoutMs: 30_000 });
    expect(ended).toMatchObject({ status: "failed" });
    // Three here, two there: the sixth is refused.
    const { entries } = await readConversation(transcriptIn(task.files.output));
    expect(entries.filter((entry) => textOf(entry).startsWith("asked"))).toHaveLength(5);
  });

  test("asks no second time for what was allowed for good before a query got a process of its own", async () => {
    await using opened = await open({ permission: "ask", after: [{ run: "echo allowed" }] });
    const { threads, tasks, told } = opened;
    void threads.say("first");
    const asked = await waitFor(() =>
      told
        .flatMap((event) =>
          event.kind === "thread" && event.change.kind === "asked" ? [event.change.request.toolUseId] : [],
        )
        .at(0),
    );
    threads.front.answer(asked, "always");
    await waitFor(() => JSON.stringify(told).includes("allowed\\n") || undefined);
    const { task } = (await threads.background())!;
    await threads.leave();
    await threads.closeAll();
    opened.goOn();
    expect(await tasks.tasks.wait(task.record.id, { timeoutMs: 30_000 })).toMatchObject({
      status: "completed",
    });
  });

  test("stops a query that was given a process of its own with everything that it started", async () => {
    await using opened = await open();
    const { threads, tasks, texts } = opened;
    void threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    const { task } = (await threads.background())!;
    await threads.leave();
    await threads.closeAll();
    const now = await tasks.tasks.find(task.record.id);
    expect(await tasks.tasks.stop(now, { by: "me" })).toMatchObject({ status: "stopped", stoppedBy: "me" });
    expect(await tasks.tasks.refresh(now)).toMatchObject({ state: { status: "stopped" } });
    // What it had said is part of the conversation all the same.
    expect((await texts(sessionId)).slice(0, 4)).toEqual(["first", "begun", "use: Read", "result: words"]);
  });

  test("asks something in the background from what was said so far, and adds it when nothing runs in front", async () => {
    await using opened = await open();
    const { threads, tasks, texts } = opened;
    expect(await threads.askAside("too early")).toBeUndefined();
    const asked = threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    // It begins with what is said, so the script goes on behind it there, too.
    const aside = (await threads.askAside("second"))!;
    expect(aside.record).toMatchObject({
      id: expect.stringMatching(/^s\w{8}$/),
      agent: { prompt: "second" },
    });
    opened.goOn();
    await asked;
    expect(await tasks.tasks.wait(aside, { timeoutMs: 30_000 })).toMatchObject({ status: "completed" });
    await threads.front.settle();
    const first = ["first", "begun", "use: Read", "result: words", "done"];
    expect(await texts(sessionId, { withoutOwed: true })).toEqual([...first, "second", "done"]);
    expect(opened.told.filter((event) => JSON.stringify(event).includes('"second"'))).toHaveLength(1);
  });

  test("goes on with a session whose query runs elsewhere, and gets the answer behind what was said meanwhile", async () => {
    await using opened = await open();
    const { threads, tasks, texts } = opened;
    void threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    const { task } = (await threads.background())!;
    await threads.leave();
    await threads.closeAll();
    await threads.begin(sessionId);
    // The script goes on behind what is said here, and waits, too.
    const asked = threads.say("meanwhile");
    await waitFor(() => threads.front.isRunning);
    await shows(opened, "meanwhile");
    opened.goOn();
    await asked;
    expect(await tasks.tasks.wait(task.record.id, { timeoutMs: 30_000 })).toMatchObject({
      status: "completed",
    });
    await threads.front.settle();
    const said = await texts(sessionId, { withoutOwed: true });
    const told = `This query goes on in the background as task ${task.record.id}; its answer will be added to this conversation when it has ended.`;
    const before = ["first", "begun", "use: Read", "result: words", told, "meanwhile"];
    expect(said).toEqual([...before, "done", "done"]);
    expect(listOwed(tasks.home, sessionId)).toEqual([]);
  });

  test("brings its own query to the front when its session is asked for", async () => {
    await using opened = await open();
    const { threads } = opened;
    void threads.say("first");
    await shows(opened, "words");
    const sessionId = threads.front.session.id;
    const { task } = (await threads.background())!;
    await threads.begin(sessionId);
    expect([threads.frontTaskId, threads.front.session.id]).toEqual([task.record.id, sessionId]);
    opened.goOn();
    await waitFor(() => !threads.front.isRunning);
    expect(await opened.texts(sessionId)).toContain("done");
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
