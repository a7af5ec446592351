import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { readConversation } from "../../store/read/conversation.ts";
import { currentAgentContext } from "../agent-context.ts";
import type { AssistantEvent, RunnerEnd, RunnerEvent } from "../../tasks/ports.ts";
import type { TaskEvent } from "../../tasks/events/task-event.ts";
import { textsOf } from "../launch/content-parts.ts";
import { pushedEvents } from "./pushed-events.ts";

const sessionId = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const messages = [
  { role: "user" as const, content: "Count to three" },
  { role: "assistant" as const, content: [{ type: "text", text: "One." }] },
];

let said = 0;
function says(text: string): AssistantEvent {
  return {
    kind: "assistant",
    message: {
      id: `msg_${said++}`,
      model: "test",
      role: "assistant",
      type: "message",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  };
}

async function texts(file: string): Promise<string[]> {
  const { entries } = await readConversation(file);
  return entries.flatMap((entry) =>
    "message" in entry ? textsOf((entry.message as { content: string }).content) : [],
  );
}

const request = ({ cwd }: TaskWorld): { sessionId: string; cwd: string; description: string } => ({
  sessionId,
  cwd,
  description: "Counting",
});

describe("backgroundSession()", () => {
  test("goes on with a running query in a transcript of its own, and tells of its end once", async () => {
    await using world = taskWorld();
    const { events, push, end } = pushedEvents();
    const session = await world.agents.backgroundSession({ ...request(world), messages, query: events });
    const { record, files } = session.task;
    expect(record.id).toMatch(/^s[0-9a-z]{8}$/);
    expect(record.agent).toMatchObject({ type: "main-session", isInProcess: true, prompt: "Count to three" });
    const subagents = path.join(path.dirname(record.agent.transcript.path));
    expect(subagents.endsWith(path.join(sessionId, "subagents"))).toBe(true);
    expect(fs.readdirSync(path.dirname(path.dirname(subagents)))).toEqual([sessionId]);
    await push(says("Two."));
    await push(says("Three."));
    await waitFor(async () => (await world.agents.progress(record.id))?.turns === 2);
    expect(await world.agents.progress(record.id)).toMatchObject({ isBackgrounded: true });
    expect((await world.tasks.find(record.id)).state).toMatchObject({ status: "running", pid: process.pid });
    end();
    expect(await session.result).toMatchObject({
      outcome: { status: "completed" },
      content: [{ type: "text", text: "Three." }],
      totalTokens: 12,
    });
    expect(await texts(files.output)).toEqual(["Count to three", "One.", "Two.", "Three."]);
    expect((await world.tasks.find(record.id)).state).toMatchObject({ status: "completed" });
    expect(await world.tasks.notices({ sessionId })).toMatchObject([
      { summary: 'Background session "Counting" completed' },
    ]);
    expect(world.agents.mainSessions()).toEqual([]);
  });

  test("shows at once that it is in the background, or in front again, though it says nothing", async () => {
    await using world = taskWorld();
    const { events, end } = pushedEvents();
    const session = await world.agents.backgroundSession({ ...request(world), messages, query: events });
    const { id } = session.task.record;
    const isBackgrounded = async (): Promise<unknown> => (await world.agents.progress(id))?.isBackgrounded;
    await waitFor(async () => (await isBackgrounded()) === true);
    world.agents.foregroundSession(id);
    await waitFor(async () => (await isBackgrounded()) === false);
    expect(await world.agents.progress(id)).toMatchObject({ schemaVersion: 1, turns: 0, tokens: 0 });
    end();
    await session.result;
  });

  test("has as its prompt what the person said last, not the news of a task", async () => {
    await using world = taskWorld();
    const { events, end } = pushedEvents();
    const notice =
      "<task-notification>\n<task-id>b00000001</task-id>\n<status>completed</status>\n</task-notification>";
    const session = await world.agents.backgroundSession({
      ...request(world),
      messages: [...messages, { role: "user", content: notice }],
      query: events,
    });
    expect(session.task.record).toMatchObject({ agent: { prompt: "Count to three" } });
    end();
    await session.result;
  });

  test("is stopped by its query's own controller, whoever stops it", async () => {
    await using world = taskWorld();
    const abortController = new AbortController();
    async function* query(): AsyncGenerator<RunnerEvent, RunnerEnd> {
      yield says("Working.");
      await new Promise<void>((resolve) =>
        abortController.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      throw abortController.signal.reason;
    }
    const session = await world.agents.backgroundSession({
      ...request(world),
      messages,
      query: query(),
      abortController,
    });
    const task = await world.tasks.find(session.task.record.id);
    expect(await world.tasks.stop(task, { by: "me" })).toMatchObject({ status: "stopped", stoppedBy: "me" });
    expect(abortController.signal.aborted).toBe(true);
    expect((await session.result).outcome).toEqual({ status: "interrupted" });
  });

  test("says nothing at its end in the foreground, but its event is sent; the one before goes back", async () => {
    await using world = taskWorld();
    const stop = new AbortController();
    const events: TaskEvent[] = [];
    const watching = (async () => {
      for await (const event of world.tasks.events({ signal: stop.signal })) events.push(event);
    })();
    const [one, two] = [pushedEvents(), pushedEvents()];
    const first = await world.agents.backgroundSession({ ...request(world), messages, query: one.events });
    const second = await world.agents.backgroundSession({ ...request(world), messages, query: two.events });
    expect(world.agents.foregroundSession(first.task.record.id)).toBe(undefined);
    expect(world.agents.foregroundSession(second.task.record.id)).toBe(first);
    expect([first.isForeground, second.isForeground]).toEqual([false, true]);
    // Who begins to watch when they have ended is told nothing of them.
    await waitFor(() => events.filter(({ subtype }) => subtype === "task_started").length === 2);
    one.end();
    two.end(new Error("no more"));
    await Promise.all([first.result, second.result]);
    expect(await world.tasks.notices({ sessionId })).toMatchObject([{ taskId: first.task.record.id }]);
    const endings = (): string[] =>
      events.flatMap((event) =>
        event.subtype === "task_notification" ? [`${event.task_id} ${event.status}`] : [],
      );
    await waitFor(() => endings().length === 2);
    stop.abort();
    await watching;
    expect(endings().toSorted()).toEqual(
      [`${first.task.record.id} completed`, `${second.task.record.id} failed`].toSorted(),
    );
  });

  test("takes transcript and link to the chat's new session", async () => {
    await using world = taskWorld();
    const { events, push, end } = pushedEvents();
    const session = await world.agents.backgroundSession({ ...request(world), messages, query: events });
    const { files, record } = session.task;
    await push(says("Two."));
    const next = "99999999-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    const [moved] = await Promise.all([session.relinkOutput(next), push(says("Three."))]);
    expect(moved).toBe(undefined);
    end();
    await session.result;
    const target = fs.readlinkSync(files.output);
    expect(path.basename(path.dirname(path.dirname(target)))).toBe(next);
    expect(fs.existsSync(record.agent.transcript.path)).toBe(false);
    expect(await texts(target)).toEqual(["Count to three", "One.", "Two.", "Three."]);
    const { entries, gaps } = await readConversation(target);
    expect([gaps, new Set(entries.map((entry) => (entry as { sessionId?: string }).sessionId))]).toEqual([
      [],
      new Set([next]),
    ]);
    expect(JSON.parse(fs.readFileSync(target.replace(".jsonl", ".meta.json"), "utf8"))).toMatchObject({
      agentType: "main-session",
      finished: true,
    });
  });
});

describe("registerMainSession()", () => {
  test("records what its driver tells, for an agent that everything it starts knows of", async () => {
    await using world = taskWorld();
    const session = await world.agents.registerSession({ ...request(world), messages: [] });
    await session.record(says("Counted."));
    expect(currentAgentContext()).toBe(undefined);
    expect((await session.complete()).content).toEqual([{ type: "text", text: "Counted." }]);
    await expect(session.record(says("Too late."))).rejects.toThrow("the session has ended");
    expect(await texts(session.task.files.output)).toEqual(["Counting", "Counted."]);
  });

  test("takes messages and answers through the task", async () => {
    await using world = taskWorld();
    const session = await world.agents.registerSession({ ...request(world), messages });
    const task = await world.tasks.find(session.task.record.id);
    await world.tasks.send(task, "Faster, please");
    expect(await session.takeMessages()).toEqual(["Faster, please"]);
    expect(await session.takeMessages()).toEqual([]);
    const question = { toolUseId: "toolu_1", tool: "Bash", input: { command: "ls" }, title: "Run ls" };
    const answer = session.askPermission(question, new AbortController().signal);
    await waitFor(async () => {
      const { state } = await world.tasks.refresh(task);
      return state.status === "running" && state.needsInput !== undefined;
    });
    const { requestId } = (await world.agents.progress(task))!.needsInput!;
    await world.agents.answer(task, { requestId, answer: { behavior: "allow" }, by: "me" });
    expect(await answer).toEqual({ behavior: "allow" });
    await session.complete();
    expect(await texts(task.files.output)).toContain("Faster, please");
  });
});
