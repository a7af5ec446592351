import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startProgram } from "../../../test/support/start-program.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { scriptedRunner } from "../runners/scripted/index.ts";
import { currentAgentContext } from "../agent-context.ts";
import type { Runner } from "../../tasks/ports.ts";

describe("runAgentInProcess()", () => {
  test("is the same task to everybody else, and knows its agent in everything it awaits", async () => {
    await using world = taskWorld();
    const deltas: string[] = [];
    let context: unknown;
    const script = scriptedRunner({ steps: [{ delta: "Do" }, { text: "Done." }] });
    const runner: Runner = async function* (request, signal) {
      await Promise.resolve();
      context = currentAgentContext();
      return yield* script(request, signal);
    };
    const { task, result } = await world.agents.run({
      prompt: "Do it",
      cwd: world.cwd,
      runner,
      name: "helper",
      type: "Explore",
      onDelta: (text) => deltas.push(text),
    });
    expect(await result).toMatchObject({ outcome: { status: "completed" }, content: [{ text: "Done." }] });
    expect(await world.tasks.find(task.record.id)).toMatchObject({
      record: { kind: "local_agent", agent: { isInProcess: true, type: "Explore" } },
      state: { status: "completed", exitCode: 0 },
    });
    expect(deltas).toEqual(["Do"]);
    expect(context).toEqual({ agentId: task.record.id, agentType: "Explore", name: "helper" });
    expect(await world.tasks.notices()).toMatchObject([{ taskId: task.record.id }]);
    expect(await world.tasks.list()).toEqual([]);
  });

  test("refuses a runner that is none, and writes nothing", async () => {
    await using world = taskWorld();
    const runner = { name: "anthropic" } as unknown as Runner;
    const run = world.agents.run({ prompt: "Do it", cwd: world.cwd, runner });
    await expect(run).rejects.toMatchObject({ code: "runner_invalid" });
    expect(await world.tasks.list({ all: true })).toEqual([]);
  });

  test("is stopped by another process's word, and by its own signal", async () => {
    await using world = taskWorld();
    const runner = scriptedRunner({ steps: [{ text: "Hm." }, { waitFor: "never" }] });
    const first = await world.agents.run({ prompt: "Wait", cwd: world.cwd, runner });
    expect(await world.tasks.stop(first.task, { by: "me", reason: "enough" })).toMatchObject({
      status: "stopped",
      stoppedBy: "me",
      stopReason: "enough",
    });
    expect((await first.result).outcome).toEqual({ status: "interrupted" });
    const abort = new AbortController();
    const { signal } = abort;
    const second = await world.agents.run({ prompt: "Wait", cwd: world.cwd, runner, signal });
    abort.abort();
    await second.result;
    expect((await world.tasks.refresh(second.task)).state).toMatchObject({
      status: "stopped",
      stoppedBy: `pid ${process.pid}`,
    });
  });

  test("ends when its time is up, and when its runner fails or does not heed the signal", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const slow = scriptedRunner({ steps: [{ waitFor: "never" }] });
    const late = await agents.run({ prompt: "Wait", cwd, runner: slow, timeoutMs: 50 });
    await late.result;
    expect((await tasks.refresh(late.task)).state).toMatchObject({ status: "failed", reason: "timeout" });
    const failing = scriptedRunner({ steps: [{ fail: "no model" }] });
    const failed = await agents.run({ prompt: "Try", cwd, runner: failing });
    expect((await failed.result).outcome).toEqual({
      status: "failed",
      reason: "agent-error",
      error: "no model",
    });
    // eslint-disable-next-line require-yield -- it hangs before it has anything to tell
    const deaf: Runner = async function* () {
      await new Promise(() => {});
      return { reason: "done" };
    };
    const stuck = await agents.run({ prompt: "Hang", cwd, runner: deaf });
    expect(await tasks.stop(stuck.task, { by: "me" })).toMatchObject({ status: "stopped" });
  });

  test("is lost when its process dies, and goes on as another one", async () => {
    await using world = taskWorld();
    const { tasks, agents, home, configDir, cwd } = world;
    const script = path.join(cwd, "script.json");
    fs.writeFileSync(script, JSON.stringify([{ text: "One." }, { waitFor: "go" }, { text: "Two." }]));
    const embedder = startProgram("agent-embedder", [home, configDir, cwd, script]);
    await waitFor(() => embedder.lines.length === 1);
    const task = await tasks.find(embedder.lines[0]!);
    await waitFor(async () => (await agents.progress(task))?.turns === 1);
    embedder.kill("SIGKILL");
    await embedder.ended();
    expect((await world.ended(task)).state).toMatchObject({ status: "lost" });
    fs.writeFileSync(path.join(cwd, "go"), "");
    const next = await agents.continue(task);
    expect((await world.ended(next)).state.status).toBe("completed");
    expect(await tasks.notices()).toMatchObject([{ taskId: next.record.id, status: "completed" }]);
  });
});

test("runAgentInProcess() gives its answer also when somebody removed its transcript", async () => {
  await using world = taskWorld();
  const { agents, cwd } = world;
  const runner = scriptedRunner({ steps: [{ text: "One." }, { waitFor: "go" }, { text: "Two." }] });
  const { task, result } = await agents.run({ prompt: "Go", cwd, runner });
  await waitFor(async () => (await agents.progress(task))?.turns === 1);
  fs.rmSync(task.record.agent!.transcript.path);
  fs.writeFileSync(path.join(cwd, "go"), "");
  expect(await result).toMatchObject({ outcome: { status: "completed" }, content: [{ text: "Two." }] });
  await expect(agents.continue(task, { prompt: "More", runner: { name: "scripted" } })).rejects.toThrow(
    "its transcript is gone",
  );
});
