import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { writeScript } from "../../../test/support/agent-script.ts";
import { markedProcesses, taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { agentPromptBytesMax, concurrentAgentsMax } from "../../tasks/kinds/agent/limits.ts";
import { taskDescriptionLengthMax } from "../../format/limits.ts";
import { systemClock } from "../../lib/clock.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import { ownPrograms } from "../../runtime/own-programs.ts";
import { readConversation } from "../../store/read/conversation.ts";
import { newAgentTask, type AgentLaunchContext } from "./launch-agent.ts";

const usage = {
  input_tokens: 30,
  output_tokens: 9,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

describe("startAgent()", () => {
  test("runs an agent to its answer, in a transcript of its own, and tells of it once", async () => {
    await using world = taskWorld();
    const runner = writeScript(world, {
      steps: [{ text: "Looking." }, { run: "echo found it" }, { text: "The answer is 42." }],
      usage: { input_tokens: 10, output_tokens: 3 },
    });
    const { tasks, agents, cwd } = world;
    const task = await agents.start({ prompt: "What is it?", cwd, runner, permission: "allow" });
    expect(task.record).toMatchObject({
      kind: "local_agent",
      description: "What is it?",
      command: "scripted: What is it?",
      agent: { agentId: task.record.id, type: "general-purpose", prompt: "What is it?", depth: 1 },
    });
    expect(task.record.id).toMatch(/^a[0-9a-f]{16}$/);
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "completed", exitCode: 0 });
    const transcript = task.record.agent!.transcript.path;
    expect(fs.readlinkSync(task.files.output)).toBe(transcript);
    const { entries, gaps, rejections } = await readConversation(transcript);
    expect([gaps, rejections]).toEqual([[], []]);
    expect(entries.map(({ type }) => type)).toEqual(["user", "assistant", "assistant", "user", "assistant"]);
    const [notice, ...others] = await tasks.notices();
    expect(others).toEqual([]);
    expect(notice!.summary).toBe('Agent "What is it?" completed');
    expect(notice!.text).toContain(
      "<result>The answer is 42.</result>\n<usage><total_tokens>39</total_tokens>",
    );
    const output = await tasks.output(task, { by: "test" });
    expect(output).toEqual({
      retrieval_status: "success",
      agentId: task.record.id,
      status: "completed",
      content: [{ type: "text", text: "The answer is 42." }],
      totalDurationMs: expect.any(Number) as number,
      totalTokens: 39,
      totalToolUseCount: 1,
      usage,
      outputFile: task.files.output,
    });
    expect(await tasks.notices()).toEqual([]);
    expect(await agents.progress(task)).toMatchObject({
      turns: 3,
      toolUses: 1,
      tokens: 39,
      summary: "The answer is 42.",
      activities: [{ tool: "Bash", text: "Bash echo found it" }],
    });
  });

  test("files a sub-agent below its session, wherever that is", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd, configDir } = world;
    const sessionId = "11111111-2222-4333-8444-555555555555";
    const project = path.join(configDir, "projects", "-elsewhere");
    fs.mkdirSync(project, { recursive: true });
    fs.writeFileSync(path.join(project, `${sessionId}.jsonl`), "");
    const runner = writeScript(world, [{ text: "Done." }]);
    const task = await agents.start({ prompt: "Do it", cwd, runner, sessionId, toolUseId: "toolu_1" });
    await world.ended(task);
    const file = path.join(project, sessionId, "subagents", `agent-${task.record.id}.jsonl`);
    expect(task.record.agent!.transcript).toEqual({ path: file, sessionId, agentId: task.record.id });
    const { entries } = await readConversation(file);
    expect(entries).toMatchObject([
      { type: "user", isSidechain: true, agentId: task.record.id, sessionId, parentUuid: null },
      { type: "assistant", isSidechain: true },
    ]);
    expect(JSON.parse(fs.readFileSync(file.replace(".jsonl", ".meta.json"), "utf8"))).toEqual({
      agentType: "general-purpose",
      description: "Do it",
      toolUseId: "toolu_1",
      spawnDepth: 1,
      finished: true,
    });
    expect(await tasks.notices({ sessionId })).toMatchObject([{ taskId: task.record.id, sessionId }]);
  });

  test.each([
    ["turns", { maxTurns: 2 }, "it took 2 turns, as many as it may"],
    ["tokens", { maxTokens: 25 }, "it used 26 tokens, more than the 25 that it may"],
  ] as const)("ends an agent that goes over its limit of %s", async (reason, limits, error) => {
    await using world = taskWorld();
    const runner = writeScript(world, {
      steps: [{ repeat: 10, steps: [{ tool: "Read", input: { file_path: "x" } }] }],
      usage: { input_tokens: 10, output_tokens: 3 },
    });
    const task = await world.agents.start({ prompt: "Go on", cwd: world.cwd, runner, limits });
    const { state } = await world.ended(task);
    expect(state).toMatchObject({ status: "failed", reason, exitCode: 1 });
    const [notice] = await world.tasks.notices();
    expect(notice!.summary).toBe(`Agent "Go on" failed: ${error}`);
    expect(await world.agents.progress(task)).toMatchObject({ turns: 2, toolUses: 2 });
  });

  test("tells why an agent failed", async () => {
    await using world = taskWorld();
    const runner = writeScript(world, [{ text: "Trying." }, { fail: "the model is gone" }]);
    const task = await world.agents.start({ prompt: "Try", cwd: world.cwd, runner });
    const { state, stderr } = await world.ended(task);
    expect([state, stderr]).toMatchObject([
      { status: "failed", reason: "agent-error" },
      "the model is gone\n",
    ]);
    expect(await world.tasks.output(task, { by: "x" })).toMatchObject({
      status: "failed",
      error: "the model is gone",
      content: [{ type: "text", text: "Trying." }],
    });
  });
});

describe("an agent whose supervisor was killed", () => {
  test("goes on, and its host writes the ending", async () => {
    await using world = taskWorld();
    const { tasks, agents, cwd } = world;
    const runner = writeScript(world, [{ text: "One." }, { waitFor: "go" }, { text: "Two." }]);
    const task = await agents.start({ prompt: "Go on", cwd, runner });
    await waitFor(async () => (await agents.progress(task))?.turns === 1);
    const { state } = await tasks.refresh(task);
    if (state.status !== "running" || state.pid === undefined) throw new Error("It does not run");
    process.kill(state.pid, "SIGKILL");
    await waitFor(() => startTimeOf(state.pid!) === undefined);
    expect((await tasks.refresh(task)).state).toEqual({ status: "running" });
    fs.writeFileSync(path.join(cwd, "go"), "");
    expect((await world.ended(task)).state).toMatchObject({ status: "completed", exitCode: 0 });
    expect(await tasks.output(task, { by: "x" })).toMatchObject({ content: [{ text: "Two." }] });
    // The ending is the last thing that the host does.
    await waitFor(() => markedProcesses(task.record.id).length === 0);
  });
});

describe("startAgent() refuses", () => {
  test.each([
    [{ prompt: " " }, "Cannot run agent: the prompt is empty"],
    [{ description: "x".repeat(taskDescriptionLengthMax + 1) }, "more than 500"],
    [{ sessionId: "../x" }, 'Cannot run agent: "../x" is no session id'],
    [{ type: "nobody" }, 'Cannot find agent type "nobody"'],
    [{ timeoutMs: 0 }, "Cannot run agent: 0 ms is no timeout"],
    [{ limits: { maxTurns: 0 } }, "Cannot run agent: 0 is no number of turns"],
    [{ limits: { maxCostUsd: Number.NaN } }, "Cannot run agent: NaN is no cost"],
    [{ cwd: "/nowhere/at/all" }, 'Cannot run task in "/nowhere/at/all": no such folder'],
  ])("%j, and leaves nothing", async (wrong, message) => {
    await using world = taskWorld();
    const runner = writeScript(world, []);
    const request = { prompt: "Go", cwd: world.cwd, runner, ...wrong };
    await expect(world.agents.start(request)).rejects.toThrow(message);
    expect(await world.tasks.list({ all: true })).toEqual([]);
    expect(fs.existsSync(world.configDir)).toBe(false);
  });
});

test("agentOutput() waits as long as the older form may", async () => {
  await using world = taskWorld();
  const runner = writeScript(world, [{ text: "Here." }]);
  const prompt = "x".repeat(agentPromptBytesMax + 1);
  await expect(world.agents.start({ prompt, cwd: world.cwd, runner })).rejects.toThrow("the prompt has");
  const task = await world.agents.start({ prompt: "Go", cwd: world.cwd, runner });
  for (const waitUpToSeconds of [-1, 301, Number.NaN])
    await expect(world.agents.output(task, { waitUpToSeconds, by: "x" })).rejects.toThrow(RangeError);
  const output = await world.agents.output(task, { by: "x" });
  expect(output).toMatchObject({ retrieval_status: "success", content: [{ text: "Here." }] });
  const { task: shell } = await world.run("true");
  await expect(world.agents.output(shell, { by: "x" })).rejects.toMatchObject({ code: "not_supported" });
});

describe("newAgentTask()", () => {
  const context = (world: TaskWorld): AgentLaunchContext => ({
    home: world.home,
    configDir: world.configDir,
    programs: ownPrograms(),
    env: {},
    clock: systemClock,
    start: () => Promise.reject(new Error("Nothing is to be started")),
  });
  const running = concurrentAgentsMax;

  test("refuses an agent when as many run as may, unless it queues", async () => {
    await using world = taskWorld();
    const request = { prompt: "Go", cwd: world.cwd };
    const state = { running, after: [], kind: "agent" as const };
    expect(() => newAgentTask(context(world), request, state)).toThrow(
      expect.objectContaining({ code: "task_limit", retryable: true }) as Error,
    );
    const queued = newAgentTask(context(world), { ...request, queue: true }, state);
    expect(queued.record.shell.waitsFor).toEqual({ bases: [], slots: concurrentAgentsMax });
    const few = { ...state, running: running - 1 };
    expect(newAgentTask(context(world), request, few).record.shell.waitsFor).toBe(undefined);
  });

  test("waits for the tasks that it is to come after", async () => {
    await using world = taskWorld();
    const state = { running, after: ["/tasks/b1"], kind: "agent" as const };
    const { record } = newAgentTask(context(world), { prompt: "Go", cwd: world.cwd }, state);
    expect(record.shell.waitsFor).toEqual({ bases: ["/tasks/b1"], slots: 1 });
  });
});
