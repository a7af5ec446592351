import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  openRuntime,
  type OutputPiece,
  type Runner,
  type RunnerSpec,
  type Runtime,
  type TaskEvent,
  type ThreadsEvent,
} from "../../src/index.ts";
import { testHome, waitFor } from "../support/index.ts";

// What an embedder does with tasks, agents and conversations: only public names, in one process, without the command line.

const by = "embedder";

interface Work extends AsyncDisposable {
  runtime: Runtime;
  cwd: string;
  /** An agent that plays these steps. */
  scripted(...steps: object[]): RunnerSpec;
  /** A file that steps wait for. */
  write(name: string): void;
}

function open(): Work {
  const { home, configDir, userHome, cwd } = testHome();
  const runtime = openRuntime({ home, configDir, env: { PATH: process.env["PATH"], HOME: userHome } });
  let scripts = 0;
  return {
    runtime,
    cwd,
    scripted(...steps) {
      const script = path.join(cwd, `script-${scripts++}.json`);
      fs.writeFileSync(script, JSON.stringify(steps));
      return { name: "scripted", script };
    },
    write: (name) => fs.writeFileSync(path.join(cwd, name), ""),
    async [Symbol.asyncDispose]() {
      for (const task of await runtime.tasks.list()) await runtime.tasks.stop(task, { by });
      await runtime.close();
    },
  };
}

/** A runner of the embedder's own: an answer, and nothing else. */
const answering: Runner = async function* ({ prompt }) {
  yield {
    kind: "assistant",
    message: {
      id: "msg_1",
      model: "own",
      role: "assistant",
      type: "message",
      content: [{ type: "text", text: `You said: ${prompt}` }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  };
  return { reason: "done" };
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("an embedder's commands", () => {
  test("take argv and input, are followed from an offset, and are read in every way", async () => {
    await using work = open();
    const { tasks } = work.runtime;
    const argv = ["sh", "-c", 'echo "$1"; read line; echo "got $line" >&2', "-", "a b; c"];
    const { record } = await tasks.start({ argv, cwd: work.cwd, stdin: true, name: "words" });
    const { id } = record;
    await waitFor(async () => (await tasks.read(id, { stream: "stdout", bytesMax: 100 })).text !== "");
    expect(await tasks.newOutput(id, { reader: by })).toMatchObject({ stdout: "a b; c\n" });
    expect(await tasks.pid(id)).toEqual(expect.any(Number));
    await tasks.send("words", "hello\n");
    const pieces = await all(tasks.follow(id, { from: { stdout: 2 } }));
    const of = (stream: OutputPiece["stream"]): string =>
      pieces.flatMap((piece) => (piece.stream === stream ? [piece.text] : [])).join("");
    expect([of("stdout"), of("stderr")]).toEqual(["b; c\n", "got hello\n"]);
    expect(pieces.findLast(({ stream }) => stream === "stdout")?.offset).toBe(7);
    const bytes = await all(tasks.followBytes(id, { stream: "stderr" }));
    expect(Buffer.concat(bytes).toString()).toBe("got hello\n");
    expect(await tasks.newOutput(id, { reader: by })).toMatchObject({ stdout: "", stderr: "got hello\n" });
    expect(await tasks.output(id, { by })).toMatchObject({ shellId: id, exitCode: 0, stdout: "a b; c\n" });
    expect(await tasks.inspect(id)).toMatchObject({
      listed: { id, name: "words" },
      notice: { status: "consumed" },
    });
    await expect(tasks.send(id, "x")).rejects.toMatchObject({ code: "no_stdin" });
  });

  test("are waited for together, stopped, muted, told once, and removed", async () => {
    await using work = open();
    const { tasks } = work.runtime;
    const { cwd } = work;
    const quick = await tasks.start({ command: "exit 2", cwd });
    const slow = await tasks.start({ command: "exec sleep 600", cwd });
    expect(await tasks.waitAny([quick, slow])).toMatchObject([{ state: { status: "failed", exitCode: 2 } }]);
    const { ended, waiting } = await tasks.waitFor([quick, slow.record.id], { any: true });
    expect([ended[0]?.task.record.id, waiting[0]?.record.id]).toEqual([quick.record.id, slow.record.id]);
    expect(await tasks.wait(slow, { timeoutMs: 0 })).toBeUndefined();
    await expect(tasks.remove(slow)).rejects.toMatchObject({ code: "task_refused" });
    await tasks.mute(slow);
    expect(await tasks.stop(slow, { by, reason: "enough" })).toMatchObject({
      status: "stopped",
      stoppedBy: by,
    });
    expect((await tasks.refresh(slow)).state).toMatchObject({ status: "stopped", stopReason: "enough" });
    expect(await tasks.notices()).toMatchObject([{ taskId: quick.record.id }]);
    expect(await tasks.consumeNotices({ by })).toMatchObject([{ taskId: quick.record.id, status: "failed" }]);
    expect(await tasks.consumeNotices({ by })).toEqual([]);
    const third = await tasks.start({ command: "true", cwd });
    await tasks.wait(third);
    await tasks.told(third, { by });
    expect(await tasks.notices()).toEqual([]);
    await tasks.remove(third);
    expect((await tasks.overview({ all: true })).map(({ id }) => id)).toEqual([
      slow.record.id,
      quick.record.id,
    ]);
  });

  test("have a terminal that is joined", async () => {
    await using work = open();
    const { tasks } = work.runtime;
    const task = await tasks.start({ command: "read word; echo got $word", cwd: work.cwd, tty: true });
    const terminal = await tasks.attach(task);
    let shown = "";
    const over = terminal.listen((piece) => (shown += piece.toString()));
    terminal.resize({ columns: 100, rows: 30 });
    terminal.type("kelp\r");
    await over;
    terminal.close();
    expect(shown).toContain("got kelp");
    expect(await tasks.wait(task)).toMatchObject({ exitCode: 0 });
  });

  test("are told of as events, which go on behind a cursor", async () => {
    await using work = open();
    const { tasks } = work.runtime;
    const sessionId = randomUUID();
    const until = async (count: number, after?: string, onFirst?: () => unknown): Promise<TaskEvent[]> => {
      const stop = new AbortController();
      const seen: TaskEvent[] = [];
      for await (const event of tasks.events({ signal: stop.signal, after })) {
        if (seen.push(event) === 1) onFirst?.();
        if (seen.filter(({ subtype }) => subtype === "task_notification").length === count) stop.abort();
      }
      return seen;
    };
    const first = await tasks.start({ command: "exec sleep 600", cwd: work.cwd, sessionId });
    const seen = await until(1, undefined, () => tasks.stop(first, { by }));
    expect(seen.map(({ subtype }) => subtype)).toEqual(["task_started", "task_updated", "task_notification"]);
    expect(new Set(seen.map(({ session_id }) => session_id))).toEqual(new Set([sessionId]));
    // Of another task, which came and went while nobody watched.
    const second = await tasks.start({ command: "true", cwd: work.cwd });
    await tasks.wait(second);
    const since = await until(1, seen.at(-1)?.cursor);
    expect(new Set(since.map(({ task_id }) => task_id))).toEqual(new Set([second.record.id]));
    // An event is the same whenever it is told.
    expect((await until(2, seen[0]?.cursor)).map(({ uuid }) => uuid)).toEqual(
      [...seen.slice(1), ...since].map(({ uuid }) => uuid),
    );
    await expect(tasks.events({ signal: AbortSignal.abort(), after: "none" }).next()).rejects.toThrow(
      RangeError,
    );
  });
});

describe("an embedder's agents", () => {
  test("are chosen, started, asked, answered, told something, and continued", async () => {
    await using work = open();
    const { agents, tasks } = work.runtime;
    const { cwd } = work;
    const { script } = work.scripted(
      { run: "echo ran" },
      { hear: true },
      { text: "Done." },
      { end: true },
      { text: "More." },
    );
    const runner = await agents.choose({ script: script! }, { cwd });
    const task = await agents.start({ prompt: "Go", cwd, runner, permission: "ask" });
    const question = await waitFor(async () => (await agents.progress(task))?.needsInput);
    expect(question).toMatchObject({ tool: "Bash", input: { command: "echo ran" } });
    const answer = { behavior: "allow" } as const;
    await expect(agents.answer(task, { requestId: "another", answer, by })).rejects.toMatchObject({
      code: "conflict",
    });
    await agents.answer(task.record.id, { requestId: question.requestId, answer, by });
    await agents.send(task, "hurry");
    expect(await agents.output(task, { by })).toMatchObject({
      retrieval_status: "success",
      content: [{ text: "Done." }],
    });
    expect(JSON.stringify(await all(agents.entries(task)))).toContain("Heard: hurry");
    const next = await agents.continue(task, { prompt: "And?" });
    expect(await tasks.output(next, { by })).toMatchObject({
      agentId: task.record.agent?.agentId,
      status: "completed",
    });
    expect((await agents.list()).map(({ record }) => record.id)).toEqual([next.record.id, task.record.id]);
    await expect(agents.continue(next)).rejects.toMatchObject({ code: "task_refused" });
  });

  test("run in its own process, with its own runner", async () => {
    await using work = open();
    const { agents } = work.runtime;
    const { task, result } = await agents.run({
      prompt: "kelp",
      cwd: work.cwd,
      runner: answering,
      permission: "deny",
    });
    expect(await result).toMatchObject({ outcome: { status: "completed" }, totalTokens: 7 });
    expect(await agents.output(task, { by })).toMatchObject({ content: [{ text: "You said: kelp" }] });
  });

  test("may be a running query, or one that it drives itself", async () => {
    await using work = open();
    const { agents, tasks } = work.runtime;
    const request = { sessionId: randomUUID(), cwd: work.cwd, description: "A talk" };
    const messages = [{ role: "user", content: "kelp" }] as const;
    const driven = await agents.registerSession({ ...request, messages });
    expect(agents.mainSessions().map(({ task }) => task.record.id)).toEqual([driven.task.record.id]);
    agents.foregroundSession(driven.task.record.id);
    expect(driven.isForeground).toBe(true);
    driven.setForeground(false);
    await driven.record({ kind: "user", message: { role: "user", content: "more" } });
    expect(await driven.complete(new Error("no model"))).toMatchObject({ outcome: { status: "failed" } });
    const going = answering(
      {
        messages,
        prompt: "kelp",
        cwd: work.cwd,
        env: {},
        askPermission: async () => ({ behavior: "allow" }),
        takeMessages: async () => [],
        tasks: { startShell: never, startAgent: never, output: never, stop: never },
      },
      new AbortController().signal,
    );
    const query = await agents.backgroundSession({ ...request, messages, query: going });
    expect(await query.result).toMatchObject({ content: [{ text: "You said: kelp" }] });
    expect(await tasks.wait(query.task.record.id)).toMatchObject({ status: "completed" });
  });
});

describe("an embedder's conversations", () => {
  test("go to the background, come back, and are gone on with", async () => {
    await using work = open();
    const { threads, sessions } = work.runtime;
    const { cwd } = work;
    const told: ThreadsEvent[] = [];
    const shows = (text: string): Promise<unknown> => waitFor(() => JSON.stringify(told).includes(text));
    const runner = work.scripted({ text: "begun" }, { waitFor: "go" }, { text: "done" });
    const chat = await threads.open(
      { runner, permission: "allow", cwd },
      { tell: (event) => told.push(event), takeNotices: async () => [], onIdle() {}, onChanged() {} },
    );
    await chat.begin();
    const { id } = chat.front.session;
    await threads.rememberPrompt("Look", { cwd, sessionId: id });
    const asked = chat.say("Look");
    await shows("begun");
    const main = await chat.background();
    await asked;
    expect(chat.listBackground()).toMatchObject([{ prompt: "Look", isRunning: true }]);
    await chat.foreground(main!.task.record.id);
    expect(chat.front.session.id).toBe(id);
    work.write("go");
    await main!.result;
    await shows("done");
    expect(await chat.leave()).toEqual({ sessionId: id, ended: [] });
    await chat.closeAll();
    expect(await threads.earlierPrompts({ cwd, limit: 5 })).toEqual(["Look"]);
    const session = await threads.findResumable("@last", { cwd });
    expect(session.sessionId).toBe(id);
    expect(JSON.stringify((await sessions.readConversation(session)).entries)).toContain("done");
  });
});

const never = (): Promise<never> => Promise.reject(new Error("nobody asked for that"));
