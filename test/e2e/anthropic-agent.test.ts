import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadRunner } from "../../src/agents/load-runner.ts";
import { OpenThreads } from "../../src/agents/threads/open-threads.ts";
import { openSessionStore } from "../../src/store/index.ts";
import { readConversation } from "../../src/store/read/conversation.ts";
import { startMessagesServer, waitFor, type MessagesRequest, type MessagesStep } from "../support/index.ts";
import { basicEnv, taskWorld, type TaskWorld } from "../support/task-world.ts";

// The runner, its host, the store and the tasks together: real processes against a Messages API on loopback.

const world = (): TaskWorld => taskWorld({ env: { ...basicEnv, ANTHROPIC_API_KEY: "key" } });
const runnerAt = (baseUrl: string): { name: "anthropic"; baseUrl: string } => ({
  name: "anthropic",
  baseUrl,
});
const lastText = ({ body }: MessagesRequest): string => JSON.stringify(body.messages.at(-1));

// Says one thing in a chat, and waits for the answer.
async function askInFront(
  { tasks, agents, home, configDir, cwd }: TaskWorld,
  spec: ReturnType<typeof runnerAt>,
): Promise<void> {
  const sessions = openSessionStore({ home, configDir });
  const env = { ...basicEnv, ANTHROPIC_API_KEY: "key" };
  const held = {
    sessions,
    tasks,
    agents,
    runner: loadRunner(spec),
    spec,
    configDir,
    cwd,
    userHome: cwd,
    env,
  };
  const ports = { tell: () => {}, takeNotices: async () => [], onIdle: () => {}, onChanged: () => {} };
  const threads = new OpenThreads({ ...held, permission: "rules" }, ports);
  await threads.begin();
  await threads.say("Go");
  await threads.closeAll();
}

describe("an agent on the Messages API", () => {
  test("works with its tools and answers, and its transcript can be read", async () => {
    await using place = world();
    await using server = await startMessagesServer(
      { kind: "refuse", status: 529, headers: { "retry-after-ms": "1" } },
      {
        kind: "answer",
        content: [
          { thinking: "Let me write" },
          "Writing",
          { tool: "Write", input: { file_path: "a.txt", content: "one\n" }, id: "toolu_w" },
          { tool: "Bash", input: { command: "cat a.txt" }, id: "toolu_b" },
        ],
      },
      "It says one.",
    );
    const { tasks, agents, cwd } = place;
    const runner = runnerAt(server.url);
    const task = await agents.start({ prompt: "Write one", cwd, runner, permission: "allow" });
    expect(await place.ended(task)).toMatchObject({ state: { status: "completed" }, stderr: "" });
    expect(fs.readFileSync(path.join(cwd, "a.txt"), "utf8")).toBe("one\n");
    const { entries, gaps, rejections } = await readConversation(task.record.agent!.transcript.path);
    expect([gaps, rejections]).toEqual([[], []]);
    expect(entries).toMatchObject([
      { type: "user", message: { content: "Write one" } },
      { type: "assistant", requestId: "req_2", message: { id: "msg_2", content: [{ type: "thinking" }] } },
      { type: "assistant", message: { id: "msg_2", content: [{ text: "Writing" }] } },
      { type: "assistant", message: { id: "msg_2", content: [{ id: "toolu_w" }] } },
      { type: "assistant", message: { id: "msg_2", content: [{ id: "toolu_b" }] } },
      { type: "user", message: { content: [{ tool_use_id: "toolu_w" }] }, toolUseResult: { type: "create" } },
      { type: "user", message: { content: [{ content: "one" }] }, toolUseResult: { stdout: "one" } },
      { type: "assistant", message: { content: [{ text: "It says one." }] } },
    ]);
    expect(await tasks.output(task, { by: "test" })).toMatchObject({
      content: [{ type: "text", text: "It says one." }],
      totalTokens: 30,
      totalToolUseCount: 2,
    });
  });

  test("leaves its to-dos and its long outputs where the client leaves them", async () => {
    await using place = world();
    const todos = [{ content: "Count", status: "in_progress", activeForm: "Counting" }];
    await using server = await startMessagesServer(
      {
        kind: "answer",
        content: [
          { tool: "TodoWrite", input: { todos }, id: "toolu_t" },
          { tool: "Bash", input: { command: "seq 1 100000" }, id: "toolu_b" },
        ],
      },
      "Counted.",
    );
    const { agents, cwd, configDir, home } = place;
    const task = await agents.start({
      prompt: "Count",
      cwd,
      runner: runnerAt(server.url),
      permission: "allow",
    });
    await place.ended(task);
    const { sessionId } = task.record.agent!.transcript;
    const sessions = openSessionStore({ home, configDir });
    const session = await sessions.find(sessionId);
    const file = path.join(configDir, "todos", `${sessionId}-agent-${sessionId}.json`);
    expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual(todos);
    expect(await sessions.todos(session)).toMatchObject({ lists: [{ source: "todos", path: file }] });
    const entries = (await sessions.readConversation(session)).entries;
    const { toolUseResult } = entries.at(-2) as { toolUseResult: { persistedOutputPath: string } };
    const kept = toolUseResult.persistedOutputPath;
    expect(path.dirname(kept)).toBe(path.join(configDir, "mcp-outputs", sessionId));
    expect(fs.readFileSync(kept, "utf8")).toMatch(/^1\n2\n[^]*\n50000\n[^]*\n100000\n$/);
    expect(JSON.stringify(server.requests.at(-1)!.body.messages)).toContain(kept);
  });

  test("has a sub-agent do a part and waits for its answer", async () => {
    await using place = world();
    // Both agents ask the same server: who asks is told by what was said last.
    const step: MessagesStep = (request) => {
      const said = lastText(request);
      if (said.includes("Find the word")) return "The word is kelp.";
      if (said.includes("The word is kelp.")) return "I was told kelp.";
      const input = { description: "Find", prompt: "Find the word", subagent_type: "Explore" };
      return { kind: "answer", content: [{ tool: "Task", input, id: "toolu_t" }] };
    };
    await using server = await startMessagesServer(step, step, step);
    const { tasks, agents, cwd } = place;
    const runner = runnerAt(server.url);
    const task = await agents.start({ prompt: "What is it?", cwd, runner, permission: "allow" });
    await place.ended(task);
    const [child, ...others] = (await tasks.list({ all: true })).filter(
      ({ record }) => record.id !== task.record.id,
    );
    expect(others).toEqual([]);
    expect(child!.record).toMatchObject({
      description: "Find",
      agent: { type: "Explore", depth: 2, parentTaskId: task.record.id },
    });
    const { entries } = await readConversation(task.record.agent!.transcript.path);
    expect(entries.at(-2)).toMatchObject({
      toolUseResult: {
        status: "completed",
        agentId: child!.record.id,
        agentType: "Explore",
        content: [{ type: "text", text: "The word is kelp." }],
        totalTokens: 15,
      },
    });
    expect(await tasks.output(task, { by: "test" })).toMatchObject({
      content: [{ text: "I was told kelp." }],
    });
    // The child's answer was taken by who waited for it; the other was read just now.
    expect(await tasks.notices()).toEqual([]);
  });

  test("hears what is said to it between turns, and asks before it changes something", async () => {
    await using place = world();
    const write = { tool: "Write", input: { file_path: "a.txt", content: "x" }, id: "toolu_w" };
    await using server = await startMessagesServer({ kind: "answer", content: [write] }, "I heard you.");
    const { tasks, agents, cwd } = place;
    const task = await agents.start({ prompt: "Go", cwd, runner: runnerAt(server.url) });
    const { needsInput } = await waitFor(async () => {
      const state = (await tasks.refresh(task)).state;
      return state.status === "running" && state.needsInput !== undefined && state;
    });
    expect(needsInput).toMatchObject({
      tool: "Write",
      title: "Write a.txt (1 characters)",
      input: write.input,
    });
    await tasks.send(task, "Also look at b.txt");
    const { requestId } = needsInput!;
    const answer = { behavior: "deny", message: "leave it" } as const;
    await agents.answer(task, { requestId, answer, by: "test" });
    expect(await place.ended(task)).toMatchObject({ state: { status: "completed" } });
    expect(server.requests[1]!.body.messages.at(-1)!.content).toMatchObject([
      { type: "tool_result", content: "Permission denied: leave it", is_error: true },
      { type: "text", text: "Also look at b.txt" },
    ]);
    expect(fs.existsSync(path.join(cwd, "a.txt"))).toBe(false);
  });

  test.each(["a task", "a chat in front"])("reads nothing that the settings deny, as %s", async (where) => {
    await using place = world();
    const { agents, cwd, configDir } = place;
    fs.mkdirSync(configDir, { recursive: true });
    const settings = { permissions: { deny: ["Read(./.env)"] } };
    fs.writeFileSync(path.join(configDir, "settings.json"), JSON.stringify(settings));
    fs.writeFileSync(path.join(cwd, ".env"), "SECRET=1");
    await using server = await startMessagesServer(
      { kind: "answer", content: [{ tool: "Read", input: { file_path: path.join(cwd, ".env") } }] },
      "I may not.",
    );
    const runner = runnerAt(server.url);
    if (where === "a task")
      await place.ended(await agents.start({ prompt: "Go", cwd, runner, permission: "rules" }));
    else await askInFront(place, runner);
    expect(lastText(server.requests[1]!)).toContain("Permission denied: The settings deny Read here");
    expect(lastText(server.requests[1]!)).not.toContain("SECRET");
  });

  test("is stopped in the middle of a command, which does not live on", async () => {
    await using place = world();
    const command = "echo $$ > pid; exec sleep 1000";
    await using server = await startMessagesServer({
      kind: "answer",
      content: [{ tool: "Bash", input: { command }, id: "toolu_b" }],
    });
    const { tasks, agents, cwd } = place;
    const runner = runnerAt(server.url);
    const task = await agents.start({ prompt: "Go", cwd, runner, permission: "allow" });
    await waitFor(() => fs.existsSync(path.join(cwd, "pid")));
    expect(await tasks.stop(task, { by: "test" })).toMatchObject({ status: "stopped" });
    const { entries } = await readConversation(task.record.agent!.transcript.path);
    expect(entries.at(-1)).toMatchObject({
      message: { content: [{ tool_use_id: "toolu_b", is_error: true }] },
    });
  });

  test("fails with words that help when the key is wrong", async () => {
    await using place = world();
    await using server = await startMessagesServer({ kind: "refuse", status: 401, message: "invalid key" });
    const { tasks, agents, cwd } = place;
    const task = await agents.start({ prompt: "Go", cwd, runner: runnerAt(server.url) });
    await place.ended(task);
    expect(await tasks.output(task, { by: "test" })).toMatchObject({
      status: "failed",
      error: "Cannot ask the model: 401, invalid key; check ANTHROPIC_API_KEY",
    });
  });
});
