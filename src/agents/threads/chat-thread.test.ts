import { describe, expect, test } from "vitest";
import { openSessionStore } from "../../store/index.ts";
import type { AgentTasks, Runner, RunnerEvent, RunnerRequest } from "../../tasks/ports.ts";
import { tempDir, waitFor } from "../../../test/support/index.ts";
import type { ThreadEvent } from "../../doors/cli/chat/state/reduce-chat.ts";
import { openChatSession } from "./chat-session.ts";
import { ChatThread } from "./chat-thread.ts";
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
  shown: ThreadEvent[];
  requests: RunnerRequest[];
  notices: string[];
  /** Texts of the session's transcript. */
  texts(): Promise<string[]>;
}

// A conversation on real files, whose agent does what `play` says.
function world(play: Runner): World {
  const [home, configDir, cwd] = [tempDir(), tempDir(), tempDir()];
  const sessions = openSessionStore({ home, configDir });
  const session = openChatSession(sessions, { cwd });
  const shown: ThreadEvent[] = [];
  const requests: RunnerRequest[] = [];
  const notices: string[] = [];
  const gate = new PermissionGate({
    policy: "allow",
    rules: { allow: [], deny: [], ask: [] },
    place: { cwd, userHome: cwd },
    onAsked: () => {},
    onAnswered: () => {},
  });
  const thread = new ChatThread(session, {
    runner: (request, signal) => {
      requests.push(request);
      return play(request, signal);
    },
    cwd,
    env: {},
    tasks: {} as AgentTasks,
    gate,
    show: (event) => void shown.push(event),
    takeNotices: async () => notices.splice(0),
    onIdle: () => {},
  });
  return {
    thread,
    shown,
    requests,
    notices,
    async texts() {
      const messages = await session.transcript();
      return messages.map(({ content }) =>
        typeof content === "string" ? content : content.map((part) => String(part["text"])).join(),
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

describe("ChatThread", () => {
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
    expect([query?.prompt, chat.thread.isInBackground]).toEqual(["go", true]);

    const told: string[] = [];
    const draining = (async () => {
      for await (const event of query!.events) if (event.kind === "assistant") told.push(event.message.id);
    })();
    first.open();
    await waitFor(() => JSON.stringify(chat.shown).includes("meanwhile"));
    expect(await chat.texts()).toEqual(["go", "begun"]);

    await chat.thread.comeToFront();
    expect(await chat.texts()).toEqual(["go", "begun", "meanwhile"]);
    second.open();
    await draining;
    expect(await chat.texts()).toEqual(["go", "begun", "meanwhile", "done"]);
    expect([told.length, chat.thread.isRunning]).toEqual([2, false]);
    expect(chat.shown.at(-1)).toEqual({ kind: "query-ended" });
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
    chat.thread.attend({
      askPermission: async () => ({ behavior: "allow" }),
      takeMessages: async () => ["faster"],
    });
    first.open();
    expect(await query!.events.next()).toEqual({
      done: false,
      value: { kind: "user", message: { role: "user", content: "faster" } },
    });
    expect(await query!.events.next()).toEqual({ done: true, value: { reason: "done" } });
  });

  test("tells of ended tasks once: at a turn, at once when it is waited for, else with the next prompt", async () => {
    await using chat = world(async function* (request) {
      await request.takeMessages();
      yield answer("ok");
      return { reason: "done" };
    });
    const notice = (id: string): string =>
      `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n</task-notification>`;
    await chat.thread.notice(notice("b00000001"), { wake: false });
    expect(chat.thread.session.isBegun).toBe(false);
    chat.notices.push(notice("b00000002"));
    await chat.thread.say("hello");
    await chat.thread.notice(notice("b00000003"), { wake: true });
    expect(await chat.texts()).toEqual([
      "hello",
      notice("b00000001"),
      notice("b00000002"),
      "ok",
      notice("b00000003"),
      "ok",
    ]);
    expect(chat.requests).toHaveLength(2);
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
});
