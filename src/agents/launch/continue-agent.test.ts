import fs from "node:fs";
import path from "node:path";
import type { NeededInput } from "../../tasks/kinds/agent/agent-progress.ts";
import type { PermissionAnswer } from "../../tasks/ports.ts";
import { describe, expect, test } from "vitest";
import { writeScript } from "../../../test/support/agent-script.ts";
import { plantRunning } from "../../../test/support/plant-running.ts";
import { markedProcesses, taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { Entry } from "../../format/index.ts";
import { toolResultsOf } from "../../format/entry-kinds.ts";
import { readConversation } from "../../store/read/conversation.ts";
import type { Task } from "../../tasks/record/task.ts";
import { codeOf } from "../../lib/errors.ts";
import { concurrentAgentsMax } from "../../tasks/kinds/agent/limits.ts";
import { textsOf } from "./content-parts.ts";

async function entriesOf({ files }: Task): Promise<Entry[]> {
  const { entries, gaps } = await readConversation(files.output);
  expect(gaps).toEqual([]);
  return entries;
}

async function textsIn(task: Task): Promise<string[]> {
  return (await entriesOf(task)).flatMap((entry) =>
    "message" in entry ? textsOf((entry.message as { content: string }).content) : [],
  );
}

async function killHost(world: TaskWorld, task: Task): Promise<void> {
  for (const pid of markedProcesses(task.record.id)) process.kill(pid, "SIGKILL");
  await world.ended(task);
}

describe("continueAgent()", () => {
  test("keeps to the limit of agents when many go on at once, and says a prompt once that was refused", async () => {
    await using world = taskWorld();
    const { agents, cwd } = world;
    const runner = writeScript(world, [{ text: "Done." }]);
    const ended: Task[] = [];
    for (let n = 0; n < 5; n++) {
      const task = await agents.start({ prompt: "Do it", cwd, runner, permission: "allow" });
      await world.ended(task);
      ended.push(await world.tasks.find(task.record.id));
    }
    const planted = plantRunning(world, concurrentAgentsMax - 2, "a");
    const goOn = (task: Task): Promise<Task> => agents.continue(task, { prompt: "Once more" });
    const done = await Promise.allSettled(ended.map(goOn));
    const refused = ended.find((_, n) => done[n]!.status === "rejected");
    const codes = done.flatMap((each) => (each.status === "rejected" ? [codeOf(each.reason)] : []));
    expect(codes).toEqual(["task_limit", "task_limit", "task_limit"]);
    for (const { endingDraft, record } of planted) {
      fs.rmSync(record);
      fs.rmSync(endingDraft);
    }
    const next = await goOn(refused!);
    expect((await world.ended(next)).state.status).toBe("completed");
    expect((await textsIn(next)).filter((text) => text === "Once more")).toHaveLength(1);
    for (const each of done) if (each.status === "fulfilled") await world.ended(each.value);
  });

  test("goes on behind what is recorded, runs no tool twice, and leaves one notice", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const ran = path.join(cwd, "ran");
    const runner = writeScript(world, [
      { run: `echo one >> ${ran}` },
      { run: `echo two >> ${ran}; test -e go || { touch waits; while :; do sleep 0.1; done; }` },
      { text: "All done." },
    ]);
    const task = await agents.start({ prompt: "Do both", cwd, runner, permission: "allow" });
    await waitFor(() => fs.existsSync(path.join(cwd, "waits")), { timeoutMs: 30_000 });
    await killHost(world, task);
    expect((await tasks.find(task.record.id)).state).toMatchObject({ status: "failed", signal: "SIGKILL" });
    expect((await tasks.notices())[0]!.summary).toContain("its host ended with SIGKILL");
    const next = await agents.continue(task);
    expect(next.record).toMatchObject({
      description: "Do both",
      agent: {
        agentId: task.record.id,
        continues: task.record.id,
        transcript: task.record.agent!.transcript,
      },
    });
    expect(next.record.id).not.toBe(task.record.id);
    expect((await world.ended(next)).state.status).toBe("completed");
    expect(fs.readFileSync(ran, "utf8")).toBe("one\ntwo\n");
    const results = (await entriesOf(next)).flatMap(toolResultsOf);
    expect(results).toMatchObject([{ content: "" }, { is_error: true }]);
    expect(results[1]!.content).toContain("Interrupted: the run ended before");
    expect((await tasks.notices()).map(({ taskId, status }) => [taskId, status])).toEqual([
      [next.record.id, "completed"],
    ]);
    await expect(agents.continue(task, { prompt: "Again" })).rejects.toMatchObject({
      code: "task_refused",
      fields: { continuedAs: next.record.id },
    });
  });

  test("goes on with an agent that had answered when something new is said", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "First." }, { end: true }, { text: "Second." }]);
    const task = await agents.start({ prompt: "One", cwd, runner });
    await world.ended(task);
    await expect(agents.continue(task)).rejects.toThrow("it has answered");
    const next = await agents.continue(task, { prompt: "And now?" });
    expect((await world.ended(next)).state.status).toBe("completed");
    expect(await textsIn(next)).toEqual(["One", "First.", "And now?", "Second."]);
    expect(await tasks.output(next, { by: "x" })).toMatchObject({ content: [{ text: "Second." }] });
  });

  test("ends at once with an answer that was recorded before its host was killed", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "The answer." }, { waitFor: "never" }]);
    const answered = JSON.stringify([{ text: "The answer." }]);
    const task = await agents.start({ prompt: "Ask", cwd, runner });
    await waitFor(async () => (await agents.progress(task))?.turns === 1, { timeoutMs: 30_000 });
    await killHost(world, task);
    fs.writeFileSync(runner.script!, answered);
    const file = task.record.agent!.transcript.path;
    // As the real agent would have left it: the message says that it is the last.
    fs.writeFileSync(
      file,
      fs.readFileSync(file, "utf8").replace('"stop_reason":"pause_turn"', '"stop_reason":"end_turn"'),
    );
    const next = await agents.continue(task);
    await world.ended(next);
    expect(await textsIn(next)).toEqual(["Ask", "The answer."]);
    expect(await tasks.output(next, { by: "x" })).toMatchObject({
      status: "completed",
      content: [{ type: "text", text: "The answer." }],
    });
  });

  test("refuses what runs, what is no agent, and whoever comes second", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "Hm." }, { waitFor: "go" }, { text: "Done." }]);
    const task = await agents.start({ prompt: "Wait", cwd, runner });
    await expect(agents.continue(task)).rejects.toThrow("it is running; send it a message instead");
    const { task: shell } = await world.run("true");
    await expect(agents.continue(shell)).rejects.toThrow("it is a command, not an agent");
    await expect(tasks.newOutput(task, { reader: "x" })).rejects.toMatchObject({ code: "not_supported" });
    await waitFor(async () => (await agents.progress(task))?.turns === 1, { timeoutMs: 30_000 });
    await killHost(world, task);
    fs.writeFileSync(path.join(cwd, "go"), "");
    const tries = await Promise.allSettled([1, 2, 3].map(() => agents.continue(task)));
    const won = tries.filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    const refusals = tries.flatMap((each) =>
      each.status === "rejected" ? [(each.reason as { code: string }).code] : [],
    );
    expect(refusals.every((code) => ["conflict", "task_refused"].includes(code))).toBe(true);
    await world.ended((won[0] as PromiseFulfilledResult<Task>).value);
  });
});

describe("send() to an agent", () => {
  test("reaches it at its next turn, in order and once", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "Yes?" }, { waitFor: "go" }, { hear: true }]);
    const task = await agents.start({ prompt: "Listen", cwd, runner });
    for (const text of ["one", "two", "three"]) await tasks.send(task, text);
    fs.writeFileSync(path.join(cwd, "go"), "");
    await tasks.send(task, "four");
    await world.ended(task);
    const texts = await textsIn(task);
    expect(texts.filter((text) => ["one", "two", "three", "four"].includes(text))).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    expect(fs.readdirSync(`${task.files.inbox}.closed`)).toEqual([]);
    await expect(tasks.send(task, "too late")).rejects.toMatchObject({ code: "no_stdin" });
    await expect(tasks.send(task, "")).rejects.toMatchObject({ code: "no_stdin" });
  });

  test("is not lost when its host dies before it listens", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "Yes?" }, { waitFor: "go" }, { text: "Bye." }]);
    const task = await agents.start({ prompt: "Listen", cwd, runner });
    await waitFor(async () => (await agents.progress(task))?.turns === 1, { timeoutMs: 30_000 });
    await tasks.send(task, "remember me");
    await killHost(world, task);
    fs.writeFileSync(path.join(cwd, "go"), "");
    const next = await agents.continue(task);
    await world.ended(next);
    expect(await textsIn(next)).toEqual(["Listen", "Yes?", "remember me", "Bye."]);
  });
});

describe("a question of an agent", () => {
  test("is seen in its state, answered by anyone once, and remembered when always", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [
      { run: "echo first >> ran" },
      { run: "echo first >> ran" },
      { run: "echo second >> ran" },
      { text: "Done." },
    ]);
    const task = await agents.start({ prompt: "Ask me", cwd, runner });
    const question = async (): Promise<NeededInput | undefined> => {
      const { state } = await tasks.refresh(task);
      return state.status === "running" ? state.needsInput : undefined;
    };
    const asks = (title: string): Promise<NeededInput> =>
      waitFor(
        async () => {
          const asked = await question();
          return asked?.title === title && asked;
        },
        { timeoutMs: 30_000 },
      );
    const answer = (requestId: string, given: PermissionAnswer): Promise<NeededInput> =>
      agents.answer(task, { requestId, answer: given, by: "me" });
    const { requestId: first } = await asks("Run echo first >> ran");
    expect((await tasks.list())[0]!.state).toMatchObject({
      needsInput: { tool: "Bash", input: { command: "echo first >> ran" } },
    });
    await answer(first, { behavior: "allow", always: true });
    const { requestId: second } = await asks("Run echo second >> ran");
    await expect(answer(first, { behavior: "allow" })).rejects.toMatchObject({ code: "conflict" });
    await answer(second, { behavior: "deny", message: "Not that" });
    await world.ended(task);
    expect(fs.readFileSync(path.join(cwd, "ran"), "utf8")).toBe("first\nfirst\n");
    const results = (await entriesOf(task)).flatMap(toolResultsOf);
    expect(results[2]).toMatchObject({ content: "Not that", is_error: true });
    await expect(answer(second, { behavior: "allow" })).rejects.toMatchObject({ code: "not_waiting" });
  });
});

describe("stop() of an agent", () => {
  test("ends it with everything it started, and it can be continued", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ run: "touch begun; sleep 300" }, { text: "Done." }]);
    const task = await agents.start({ prompt: "Sleep", cwd, runner, permission: "allow" });
    await waitFor(() => fs.existsSync(path.join(cwd, "begun")), { timeoutMs: 30_000 });
    expect(await tasks.stop(task, { by: "me" })).toMatchObject({ status: "stopped", stoppedBy: "me" });
    expect(markedProcesses(task.record.id)).toEqual([]);
    expect((await tasks.notices())[0]!.summary).toBe('Agent "Sleep" was stopped');
    const next = await agents.continue(task);
    expect((await world.ended(next)).state.status).toBe("completed");
  });

  test("is not needed by one whose time is up", async () => {
    await using world = taskWorld();
    const runner = writeScript(world, [{ text: "Working." }, { waitFor: "never" }]);
    const task = await world.agents.start({ prompt: "Wait", cwd: world.cwd, runner, timeoutMs: 3000 });
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", reason: "timeout" });
  });
});

describe("sub-agents", () => {
  test("run below their parent's session, and no deeper than they may", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    // Every agent plays the same: it starts another one and says what became of it.
    const runner = writeScript(world, [{ agent: "Go deeper" }, { text: "Came back." }]);
    const task = await agents.start({ prompt: "Go deeper", cwd, runner, permission: "allow" });
    await world.ended(task);
    const all = (await tasks.list({ all: true })).toReversed();
    expect(all.map(({ record }) => [record.agent!.depth, record.agent!.parentTaskId])).toEqual([
      [1, undefined],
      [2, all[0]!.record.id],
      [3, all[1]!.record.id],
    ]);
    const { sessionId } = task.record.agent!.transcript;
    expect(all[2]!.record.agent!.transcript).toMatchObject({ sessionId, agentId: all[2]!.record.id });
    const [refusal] = (await entriesOf(all[2]!)).flatMap(toolResultsOf);
    expect(refusal).toMatchObject({ is_error: true });
    expect(refusal!.content).toContain("it would be 4 levels deep, the limit is 3");
    expect((await tasks.notices()).map(({ taskId }) => taskId)).toEqual([task.record.id]);
  });
});
