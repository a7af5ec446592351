import { describe, expect, test } from "vitest";
import { chatItemsMax } from "../limits.ts";
import type { Entry } from "../../../../format/entries/entry.ts";
import { emptyThread, frontThread, initialChat, type ChatState } from "./chat-state.ts";
import type { ThreadEvent } from "../../../../agents/threads/thread-event.ts";
import { afterPrinting, reduceChat, type ChatEvent } from "./reduce-chat.ts";

const begun = initialChat(emptyThread("one"), { history: [] });

function after(...events: (ThreadEvent | ChatEvent)[]): ChatState {
  return afterIn(begun, ...events);
}

function afterIn(state: ChatState, ...events: (ThreadEvent | ChatEvent)[]): ChatState {
  const ofChat = new Set(["thread", "fronted", "dropped", "tasks", "overlay", "printed"]);
  return events.reduce((now, event) => {
    if (ofChat.has(event.kind)) return reduceChat(now, event as ChatEvent);
    return reduceChat(now, { kind: "thread", thread: "one", change: event as ThreadEvent });
  }, state);
}

function assistant(...content: object[]): ThreadEvent {
  const entry = { type: "assistant", uuid: "u", message: { role: "assistant", content } };
  return { kind: "entry", entry: entry as unknown as Entry };
}

function user(content: string | object[]): ThreadEvent {
  const entry = { type: "user", uuid: "u", message: { role: "user", content } };
  return { kind: "entry", entry: entry as unknown as Entry };
}

const started: ThreadEvent = { kind: "query-started", atMs: 5 };
const bash = { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } };

describe("reduceChat()", () => {
  test("collects an answer in pieces until it is there as a whole", () => {
    const streamed = after(user("hi"), started, { kind: "delta", text: "a" }, { kind: "delta", text: "b" });
    expect(frontThread(streamed).query?.text).toBe("ab");
    const answered = afterIn(streamed, assistant({ type: "text", text: "abc" }), { kind: "query-ended" });
    expect(frontThread(answered)).toEqual({
      ...emptyThread("one"),
      items: [
        { kind: "prompt", text: "hi", images: 0, isQueued: false },
        { kind: "answer", text: "abc" },
      ],
    });
  });

  test("shows a tool among what runs, and folds it with its result", () => {
    const running = after(started, { kind: "activity", text: "waiting" }, assistant(bash));
    expect(frontThread(running)).toMatchObject({
      items: [],
      query: { calls: [{ toolUseId: "t1", tool: { name: "Bash", detail: "ls" } }] },
    });
    expect(frontThread(running).query).not.toHaveProperty("activity");
    const done = afterIn(running, user([{ type: "tool_result", tool_use_id: "t1", content: "x" }]));
    expect(frontThread(done)).toMatchObject({
      items: [{ kind: "tool", name: "Bash", detail: "ls", result: { text: "x", isError: false } }],
      query: { calls: [] },
    });
  });

  test("forgets what came of a stream that is begun anew", () => {
    const retried = after(started, { kind: "delta", text: "half" }, { kind: "activity", text: "overloaded" });
    expect(frontThread(retried).query).toMatchObject({ text: "", activity: "overloaded" });
  });

  test("keeps what an interrupted query had said and done, and drops its questions", () => {
    const request = { toolUseId: "t1", tool: "Bash", input: {}, title: "run ls" };
    const ended = after(
      started,
      assistant(bash),
      { kind: "asked", request },
      { kind: "delta", text: "so far" },
      { kind: "ending" },
      { kind: "query-ended", notice: { text: "Interrupted", isError: false } },
    );
    expect(frontThread(ended)).toMatchObject({ asked: [] });
    expect(frontThread(ended).items).toMatchObject([
      { kind: "answer", text: "so far …" },
      { kind: "tool", name: "Bash" },
      { kind: "notice", text: "Interrupted" },
    ]);
    expect(frontThread(ended)).not.toHaveProperty("query");
  });

  test("says why a query failed that was never started", () => {
    const notice = { text: "the session is locked", isError: true };
    expect(frontThread(after({ kind: "query-ended", notice })).items).toEqual([
      { kind: "notice", ...notice },
    ]);
  });

  test("clears the screen for another conversation and keeps the one whose query runs", () => {
    const away = after(
      started,
      { kind: "backgrounded", taskId: "s1" },
      { kind: "fronted", thread: emptyThread("two") },
    );
    expect(away).toMatchObject({ screen: 1, front: "two", threads: { one: { taskId: "s1" }, two: {} } });
    const grown = afterIn(away, { kind: "delta", text: "on" });
    expect(grown.threads["one"]?.query?.text).toBe("on");
    const back = afterIn(grown, { kind: "fronted", thread: grown.threads["one"]! });
    expect(back).toMatchObject({ screen: 2, front: "one" });
    expect(Object.keys(back.threads)).toEqual(["one"]);
  });

  test("keeps no more than a limit of a conversation in the background", () => {
    const away = after(started, { kind: "fronted", thread: emptyThread("two") });
    const many = Array.from({ length: chatItemsMax + 10 }, (_, index) => user(`prompt ${index}`));
    const { items, dropped } = afterIn(away, ...many).threads["one"]!;
    expect([items.length, dropped]).toEqual([chatItemsMax, 10]);
    expect(items.at(-1)).toMatchObject({ text: `prompt ${chatItemsMax + 9}` });
  });

  test("keeps all of a conversation in front until it was printed, then no more than the limit", () => {
    const many = Array.from({ length: chatItemsMax + 10 }, (_, index) => user(`prompt ${index}`));
    const grown = after(...many);
    expect(frontThread(grown).items).toHaveLength(chatItemsMax + 10);
    const { items, dropped } = frontThread(afterPrinting(grown));
    expect([items.length, dropped]).toEqual([chatItemsMax, 10]);
    expect(items[0]).toMatchObject({ text: "prompt 10" });
  });
});
