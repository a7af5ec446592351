import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf, isMessage } from "../../format/entry-kinds.ts";
import { openSessionStore, type SessionWriter } from "../../store/index.ts";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentTasks, Runner, RunnerEvent, RunnerRequest } from "../../tasks/ports.ts";
import { tempDir, waitFor } from "../../../test/support/index.ts";
import type { EntryDraft } from "../../store/index.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { AgentHostPorts } from "../host/drive-runner.ts";
import { PermissionJudge } from "../host/permission-judge.ts";
import type { ThreadEvent } from "./thread-event.ts";
import { openChatSession } from "./chat-session.ts";
import { ChatThread, type News } from "./chat-thread.ts";
import { PermissionGate } from "./permission-gate.ts";

const usage = { input_tokens: 1, output_tokens: 1 };
let answers = 0;

function answer(text: string): RunnerEvent {
  const id = `msg_${++answers}`;
  const content = [{ type: "text", text }];
  return {
    kind: "assistant",
    message: { id, model: "m", role: "assistant", type: "message", content, stop_reason: "end_turn", usage },
  };
}

interface World extends AsyncDisposable {
  thread: ChatThread;
  configDir: string;
  shown: ThreadEvent[];
  requests: RunnerRequest[];
  notices: string[];
  newsOf(text: string): News;
  /** The news that counts as told. */
  told: string[];
  /** Texts of the session's transcript. */
  texts(): Promise<string[]>;
  /** Somebody else writes the session. */
  hold(): Promise<SessionWriter>;
}

// A conversation on real files, whose agent does what `play` says.
function world(play: Runner): World {
  const [home, configDir, cwd] = [tempDir(), tempDir(), tempDir()];
  const sessions = openSessionStore({ home, configDir });
  const session = openChatSession(sessions, { cwd });
  const shown: ThreadEvent[] = [];
  const requests: RunnerRequest[] = [];
  const notices: string[] = [];
  const told: string[] = [];
  const newsOf = (text: string): News => ({ text, told: () => void told.push(text) });
  fs.writeFileSync(
    path.join(configDir, "settings.json"),
    JSON.stringify({ permissions: { deny: ["Read(./.env)"] } }),
  );
  const judge = new PermissionJudge({
    policy: "rules",
    configDir,
    place: { cwd, userHome: cwd, hasBash: true },
  });
  const gate = new PermissionGate({
    judge,
    onAsked: () => {},
    onAnswered: () => {},
  });
  const thread = new ChatThread(session, {
    runner: (request, signal) => {
      requests.push(request);
      return play(request, signal);
    },
    cwd,
    configDir,
    env: {},
    tasks: {} as AgentTasks,
    judge,
    gate,
    show: (event) => void shown.push(event),
    takeNotices: async () => notices.splice(0).map(newsOf),
    onIdle: () => {},
  });
  return {
    thread,
    configDir,
    shown,
    requests,
    notices,
    newsOf,
    told,
    hold: () => sessions.openWriter({ cwd, sessionId: session.id }),
    async texts() {
      const said = (await session.entries()).filter(isMessage);
      return said.map((entry) =>
        blocksOf(entry)
          .map((block) => String((block as { text?: unknown }).text))
          .join(),
      );
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
}

function barrier(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

interface TaskSide {
  ports: AgentHostPorts;
  /** What its transcript was given. */
  drafts: EntryDraft[];
  progress: () => AgentProgress | undefined;
}

// What a task would give the host; `sent` is in its inbox.
function taskSide(sent: string[] = []): TaskSide {
  const drafts: EntryDraft[] = [];
  let read: (() => AgentProgress) | undefined;
  const ports: AgentHostPorts = {
    append: async (draft) => `uuid-${drafts.push(draft)}`,
    onProgress: (given) => (read = given),
    askPermission: async () => ({ behavior: "allow" }),
    readMessages: () => sent.map((text, index) => ({ id: `sent-${index}`, text })),
    forgetMessage: () => void sent.shift(),
    readConversation: async () => [],
    clock: fakeClock(),
    loadPrice: async () => () => 0,
  };
  return { ports, drafts, progress: () => read?.() };
}

describe("ChatThread", () => {
  test("keeps to-dos and long outputs with its session, as the client does", async () => {
    await using chat = world(async function* (request) {
      const kept = request.keepOutput!("Bash");
      kept.write(Buffer.from("long"));
      yield {
        kind: "todos",
        todos: [{ content: "Run tests", status: "pending", activeForm: "Running tests" }],
      };
      yield answer(kept.close()!.path);
      return { reason: "done" };
    });
    await chat.thread.say("Go");
    const { id } = chat.thread.session;
    const todos = path.join(chat.configDir, "todos", `${id}-agent-${id}.json`);
    expect(JSON.parse(fs.readFileSync(todos, "utf8"))).toEqual([
      { content: "Run tests", status: "pending", activeForm: "Running tests" },
    ]);
    const [, file] = await chat.texts();
    expect(path.dirname(file!)).toBe(path.join(chat.configDir, "mcp-outputs", id));
    expect(fs.readFileSync(file!, "utf8")).toBe("long");
  });

  test("gives what was typed meanwhile to the agent at its next turn, and the rest to the next query", async () => {
    const first = barrier();
    await using chat = world(async function* (request) {
      await first.opened;
      const said = await request.takeMessages();
      // Some agents repeat what they were told; it is recorded once.
      for (const text of said) yield { kind: "user", message: { role: "user", content: text } };
      yield answer(`heard ${said.join()}`);
      return { reason: "done" };
    });
    const asked = chat.thread.say("one");
    await chat.thread.say("two");
    first.open();
    await asked;
    await chat.thread.say("three");
    expect(await chat.texts()).toEqual(["one", "two", "heard two", "three", "heard "]);
  });

  test("records what goes on in the background only when it is back in front", async () => {
    const first = barrier();
    const second = barrier();
    await using chat = world(async function* () {
      yield answer("begun");
      await first.opened;
      yield answer("meanwhile");
      await second.opened;
      yield answer("done");
      return { reason: "done" };
    });
    const asked = chat.thread.say("go");
    await waitFor(async () => (await chat.texts()).includes("begun"));
    const query = await chat.thread.handOver();
    await asked;
    expect(chat.thread.isInBackground).toBe(true);

    // What comes while there is no task yet waits for it.
    first.open();
    const task = taskSide();
    const result = query!.goOn(task.ports);
    await waitFor(() => JSON.stringify(chat.shown).includes("meanwhile"));
    expect(await chat.texts()).toEqual(["go", "begun"]);

    await chat.thread.comeToFront();
    expect(await chat.texts()).toEqual(["go", "begun", "meanwhile"]);
    second.open();
    expect(await result).toMatchObject({ outcome: { status: "completed" }, totalTokens: 6 });
    await waitFor(() => !chat.thread.isRunning);
    expect(await chat.texts()).toEqual(["go", "begun", "meanwhile", "done"]);
    expect(task.drafts.map(({ message }) => message)).toMatchObject([
      { content: [{ text: "meanwhile" }] },
      { content: [{ text: "done" }] },
    ]);
    expect(chat.shown.at(-1)).toEqual({ kind: "query-ended" });
    expect(chat.shown.filter(({ kind }) => kind === "entry")).toHaveLength(4);
  });

  test("tells an agent in the background what others say to it", async () => {
    const first = barrier();
    await using chat = world(async function* (request) {
      yield answer("begun");
      await first.opened;
      await request.takeMessages();
      return { reason: "done" };
    });
    const asked = chat.thread.say("go");
    await waitFor(async () => (await chat.texts()).includes("begun"));
    const query = await chat.thread.handOver();
    await asked;
    const task = taskSide(["faster"]);
    const result = query!.goOn(task.ports);
    first.open();
    await result;
    expect(task.drafts).toMatchObject([{ uuid: "sent-0", message: { content: "faster" } }]);
    await chat.thread.comeToFront();
    expect(await chat.texts()).toEqual(["go", "begun", "faster"]);
  });

  test("knows in the background what the agent told before: its own session and its totals", async () => {
    const first = barrier();
    await using chat = world(async function* () {
      yield { kind: "session", foreignSessionId: "foreign-1" };
      yield { kind: "usage", usage: { input_tokens: 70, output_tokens: 7 }, costUsd: 0.5 };
      yield answer("begun");
      await first.opened;
      return { reason: "done" };
    });
    const asked = chat.thread.say("go");
    await waitFor(async () => (await chat.texts()).includes("begun"));
    const query = await chat.thread.handOver();
    await asked;
    const task = taskSide();
    const result = query!.goOn(task.ports);
    expect(task.progress()).toMatchObject({ foreignSessionId: "foreign-1", tokens: 77, costUsd: 0.5 });
    first.open();
    expect(await result).toMatchObject({ totalTokens: 77, costUsd: 0.5 });
    await waitFor(() => !chat.thread.isRunning);
    await chat.thread.comeToFront();
    await chat.thread.say("again");
    expect(chat.requests[1]?.foreignSessionId).toBe("foreign-1");
  });

  test("ends in front what no task came of", async () => {
    await using chat = world(async function* (_, signal) {
      yield answer("begun");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield answer("broken off");
      return { reason: "done" };
    });
    const asked = chat.thread.say("go");
    await waitFor(async () => (await chat.texts()).includes("begun"));
    const query = await chat.thread.handOver();
    await asked;
    await query!.giveUp();
    expect(chat.thread.isRunning).toBe(false);
    expect(await chat.texts()).toEqual(["go", "begun", "broken off", "[Request interrupted by user]"]);
  });

  test("tells of ended tasks once: at a turn, at once when it is waited for, else with the next prompt", async () => {
    await using chat = world(async function* (request) {
      await request.takeMessages();
      yield answer("ok");
      return { reason: "done" };
    });
    const notice = (id: string): string =>
      `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n</task-notification>`;
    await chat.thread.notice(chat.newsOf(notice("b00000001")), { wake: false });
    expect(chat.thread.session.isBegun).toBe(false);
    expect(chat.told).toEqual([]);
    chat.notices.push(notice("b00000002"));
    await chat.thread.say("hello");
    expect(chat.told).toEqual(["b00000001", "b00000002"].map(notice));
    await chat.thread.notice(chat.newsOf(notice("b00000003")), { wake: true });
    await chat.thread.notice(chat.newsOf(notice("b00000004")), { wake: false });
    expect(chat.told).toEqual(["b00000001", "b00000002", "b00000003", "b00000004"].map(notice));
    expect(await chat.texts()).toEqual([
      "hello",
      notice("b00000001"),
      notice("b00000002"),
      "ok",
      notice("b00000003"),
      "ok",
      notice("b00000004"),
    ]);
    expect(chat.requests).toHaveLength(2);
  });

  test("keeps news for the next prompt when this one could not be written", async () => {
    await using chat = world(async function* () {
      yield answer("ok");
      return { reason: "done" };
    });
    const notice = "<task-notification>\n<task-id>b00000001</task-id>\n</task-notification>";
    await chat.thread.notice(chat.newsOf(notice), { wake: false });
    const other = await chat.hold();
    await chat.thread.say("hello");
    expect(chat.told).toEqual([]);
    await other.close();
    await chat.thread.say("again");
    expect((await chat.texts()).filter((text) => text.includes("b00000001"))).toHaveLength(1);
  });

  test("notes that it was interrupted, and answers what comes next", async () => {
    await using chat = world(async function* (request, signal) {
      if (request.prompt === "go")
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      yield answer("ok");
      return { reason: "done" };
    });
    const asked = chat.thread.say("go");
    await waitFor(() => chat.requests.length === 1);
    chat.thread.interrupt();
    await asked;
    await chat.thread.say("again");
    expect(await chat.texts()).toEqual(["go", "[Request interrupted by user]", "again", "ok"]);
  });

  test("keeps from the agent what the rules deny, also from tools for which nobody is asked", async () => {
    const whys: (string | undefined)[] = [];
    await using chat = world(async function* (request) {
      const read = { toolUseId: "t1", tool: "Read", title: "Read .env", input: { file_path: ".env" } };
      whys.push(await request.whyDenied?.(read));
      yield answer("ok");
      return { reason: "done" };
    });
    await chat.thread.say("go");
    expect(whys).toEqual(["The settings deny Read here"]);
  });
});
