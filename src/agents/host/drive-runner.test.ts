import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import type { AssistantEvent, Runner, RunnerEvent, RunnerRequest } from "../../tasks/ports.ts";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import { linkResults } from "./link-results.ts";
import type { SentMessage } from "../../tasks/kinds/agent/inbox.ts";
import { driveRunner, type AgentHostPorts } from "./drive-runner.ts";

const says = (id: string, text: string, usage = { input_tokens: 1, output_tokens: 1 }): AssistantEvent => ({
  kind: "assistant",
  message: {
    id,
    model: "m",
    role: "assistant",
    type: "message",
    content: [{ type: "text", text }],
    stop_reason: null,
    usage,
  },
});

interface Hosted {
  result: AgentResult;
  drafts: EntryDraft[];
  progress: AgentProgress[];
}

async function host(
  runner: Runner,
  options: {
    limits?: AgentLimits;
    ports?: Partial<AgentHostPorts>;
    inbox?: SentMessage[];
    signal?: AbortSignal;
  } = {},
): Promise<Hosted> {
  const { limits = {}, inbox = [], signal = new AbortController().signal } = options;
  const drafts: EntryDraft[] = [];
  const progress: AgentProgress[] = [];
  const ports: AgentHostPorts = {
    append: linkResults(async (draft) => {
      drafts.push(draft);
      return `uuid-${drafts.length}`;
    }),
    onProgress: (read) => progress.push(read()),
    askPermission: async () => ({ behavior: "allow" }),
    readMessages: () => [...inbox],
    forgetMessage: (message) => void inbox.splice(inbox.indexOf(message), 1),
    readConversation: async () => [],
    clock: fakeClock(),
    loadPrice: async () => (_, tokens) => tokens.outputTokens,
    ...options.ports,
  };
  const request = { messages: [], prompt: "", cwd: "/", env: {}, tasks: undefined! };
  const agent = { agentId: "a1", request, limits };
  const result = await driveRunner(runner, agent, ports, signal);
  return { result, drafts, progress };
}

function play(events: RunnerEvent[]): Runner {
  return async function* () {
    yield* events;
    return { reason: "done" };
  };
}

describe("driveRunner()", () => {
  test("counts a message once, with its largest counts, and answers with the text of the last", async () => {
    const { result } = await host(
      play([
        says("m1", "One", { input_tokens: 10, output_tokens: 1 }),
        says("m1", "more", { input_tokens: 10, output_tokens: 5 }),
        says("m2", "Two", { input_tokens: 20, output_tokens: 2 }),
        says("m2", "last", { input_tokens: 20, output_tokens: 3 }),
      ]),
    );
    expect(result).toMatchObject({
      outcome: { status: "completed" },
      content: [{ text: "Two" }, { text: "last" }],
      totalTokens: 38,
      usage: { input_tokens: 30, output_tokens: 8 },
      costUsd: 8,
    });
  });

  test("takes an agent's own totals for the sums", async () => {
    const usage = { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 90 };
    const { result } = await host(play([says("m1", "Hi"), { kind: "usage", usage, costUsd: 0.5 }]));
    expect(result).toMatchObject({ totalTokens: 100, costUsd: 0.5 });
  });

  test("never asks for the next event before the last message is appended", async () => {
    const order: string[] = [];
    const runner: Runner = async function* () {
      for (const id of ["m1", "m2"]) {
        order.push(`yields ${id}`);
        yield says(id, id);
      }
      return { reason: "done" };
    };
    const append = async (draft: EntryDraft): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`appended ${(draft["message"] as { id: string }).id}`);
      return "uuid";
    };
    await host(runner, { ports: { append } });
    expect(order).toEqual(["yields m1", "appended m1", "yields m2", "appended m2"]);
  });

  test("ends an agent over its cost between two turns, with every tool use answered", async () => {
    const turn = (n: number): RunnerEvent[] => [
      {
        ...says(`m${n}`, "Using a tool", { input_tokens: 0, output_tokens: 2 }),
        message: {
          ...says(`m${n}`, "", { input_tokens: 0, output_tokens: 2 }).message,
          content: [{ type: "tool_use", id: `t${n}`, name: "Read", input: {} }],
        },
      },
      {
        kind: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: "x" }] },
      },
    ];
    const { result, drafts } = await host(play([1, 2, 3, 4].flatMap(turn)), { limits: { maxCostUsd: 3 } });
    expect(result.outcome).toMatchObject({ status: "failed", reason: "cost" });
    expect(drafts.map(({ type }) => type)).toEqual(["assistant", "user", "assistant", "user"]);
    expect(drafts[3]).toMatchObject({ sourceToolAssistantUUID: "uuid-3" });
  });

  test("ends an agent that takes more turns than it may by itself", async () => {
    const { result } = await host(
      play([says("m1", "1"), says("m2", "2"), says("m3", "3"), says("m4", "4")]),
      {
        limits: { maxTurns: 2 },
      },
    );
    expect(result).toMatchObject({
      outcome: { status: "failed", reason: "turns" },
      content: [{ text: "3" }],
    });
  });

  test("ends an agent that tells tokens of a model whose price nobody knows, when its cost is limited", async () => {
    const { result, drafts } = await host(play([says("m1", "1"), says("m2", "2")]), {
      limits: { maxCostUsd: 1 },
      ports: { loadPrice: async () => () => undefined },
    });
    expect(result.outcome).toMatchObject({ status: "failed", reason: "cost" });
    expect(drafts).toHaveLength(1);
  });

  test("counts the requests that a foreign agent tells of, its sub-agents' too, not the ids of its messages", async () => {
    const request: RunnerEvent = { kind: "request" };
    const turn = [request, says("same", "again")];
    const runner = play([...turn, ...turn, { ...request, isOfSubagent: true }, ...turn, ...turn]);
    const { result, progress } = await host(runner, { limits: { maxTurns: 3 } });
    expect(result).toMatchObject({ outcome: { status: "failed", reason: "turns" }, totalTokens: 4 });
    expect(progress.at(-1)).toMatchObject({ turns: 3 });
  });

  test("records a message when it is taken, and not again when the runner tells it", async () => {
    const inbox = [
      { id: "id-1", text: "first" },
      { id: "id-2", text: "second" },
    ];
    const runner: Runner = async function* (request: RunnerRequest) {
      const texts = await request.takeMessages();
      yield { kind: "user", message: { role: "user", content: texts.join("\n\n") } };
      yield { kind: "user", message: { role: "user", content: "first" } };
      yield says("m1", "Heard.");
      return { reason: "done" };
    };
    const { drafts } = await host(runner, { inbox });
    expect(drafts.map(({ uuid, message }) => [uuid, (message as { content: unknown }).content])).toEqual([
      ["id-1", "first"],
      ["id-2", "second"],
      [undefined, "first"],
      [undefined, [{ type: "text", text: "Heard." }]],
    ]);
  });

  test("runs the agent again for what came too late for it, with the conversation as it is then", async () => {
    const inbox: SentMessage[] = [];
    const prompts: string[] = [];
    const runner: Runner = async function* (request) {
      prompts.push(request.prompt);
      yield says(`m${prompts.length}`, `Answer ${prompts.length}`);
      if (prompts.length === 1) inbox.push({ id: "id-1", text: "One more thing" });
      return { reason: "done" };
    };
    const { result } = await host(runner, { inbox });
    expect(prompts).toEqual(["", "One more thing"]);
    expect(result.content).toMatchObject([{ text: "Answer 2" }]);
  });

  test("says why when the transcript cannot be written, and when prices cannot be had", async () => {
    const { result } = await host(play([says("m1", "x")]), {
      ports: { append: () => Promise.reject(new Error("the disk is full")) },
    });
    expect(result.outcome).toEqual({ status: "failed", reason: "agent-error", error: "the disk is full" });
    const loadPrice = (): Promise<never> => Promise.reject(new Error("no list"));
    expect((await host(play([says("m1", "x")]), { ports: { loadPrice } })).result).not.toHaveProperty(
      "costUsd",
    );
  });

  test("keeps the last five activities, to-dos, and the question that is open", async () => {
    const runner: Runner = async function* (request, signal) {
      for (let n = 0; n < 7; n++) yield { kind: "activity", text: `step ${n}` };
      yield { kind: "todos", todos: [{ content: "write", status: "pending" }] };
      const question = { toolUseId: "t", tool: "Bash", input: {}, title: "Run ls" };
      await request.askPermission(question, signal);
      return { reason: "done" };
    };
    const needed = { requestId: "1", toolUseId: "t", tool: "Bash", title: "Run ls", since: "now" };
    const { progress } = await host(runner, {
      ports: {
        askPermission: async (_, { onNeeded }) => {
          onNeeded(needed);
          onNeeded(undefined);
          return { behavior: "allow" };
        },
      },
    });
    const asking = progress.find(({ needsInput }) => needsInput !== undefined);
    expect(asking).toMatchObject({ needsInput: needed, todos: [{ content: "write" }] });
    expect(asking!.activities.map(({ text }) => text)).toEqual([
      "step 2",
      "step 3",
      "step 4",
      "step 5",
      "step 6",
    ]);
    expect(progress.at(-1)).not.toHaveProperty("needsInput");
  });

  test("still takes what an interrupted agent has to say", async () => {
    const stopped = new AbortController();
    const runner: Runner = async function* (_, signal) {
      yield says("m1", "working");
      stopped.abort();
      await Promise.resolve();
      yield says("m2", "broken off");
      throw signal.reason;
    };
    const { result, drafts } = await host(runner, { signal: stopped.signal });
    expect(result.outcome).toEqual({ status: "interrupted" });
    expect(JSON.stringify(drafts.at(-1))).toContain("broken off");
  });

  test("holds no event that was taken, while the agent goes on", async () => {
    v8.setFlagsFromString("--expose-gc");
    const collectGarbage = vm.runInNewContext("gc") as () => void;
    const told: WeakRef<RunnerEvent>[] = [];
    let held: number | undefined;
    const runner: Runner = async function* () {
      for (let count = 0; count < 20; count++) {
        const event: RunnerEvent = { kind: "delta", text: "a" };
        told.push(new WeakRef(event));
        yield event;
        // A weak reference holds its object until the next turn of the event loop.
        await new Promise(setImmediate);
      }
      collectGarbage();
      held = told.filter((event) => event.deref() !== undefined).length;
      return { reason: "done" };
    };
    await host(runner);
    // The last one may still be on its way.
    expect(held).toBeLessThanOrEqual(1);
  });
});
