import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { play, runnerRequest, type Played } from "../../../../test/support/runner-request.ts";
import { tempDir, waitFor } from "../../../../test/support/index.ts";
import type { ContentPart, RunnerEvent, RunnerRequest, ToolOutput } from "../../../tasks/ports.ts";
import { acpWorld as world, type AcpWorld as World } from "../../../../test/support/acp-world.ts";
import { acpRunner } from "./index.ts";

async function run(
  { cwd, options }: World,
  given: Partial<Parameters<typeof runnerRequest>[0]> & { prompt: string },
): Promise<Played & { asked: ReturnType<typeof runnerRequest>["asked"] }> {
  const { request, asked } = runnerRequest({ cwd, ...given });
  return { ...(await play(acpRunner(options), request)), asked };
}

/** Events without the ids that are made anew each time, so that whole lists can be compared. */
function spoken(events: RunnerEvent[]): unknown[] {
  return events.flatMap((event): unknown[] => {
    if (event.kind === "assistant") return event.message.content.map((part) => told(part));
    if (event.kind === "user") {
      const { content } = event.message;
      return typeof content === "string" ? [`user: ${content}`] : content.map((part) => told(part));
    }
    return event.kind === "delta" ? [] : [event];
  });
}

function told({ id: _id, tool_use_id: _useId, ...part }: ContentPart): unknown {
  return part.type === "text" ? part["text"] : part;
}

const session = { kind: "session", foreignSessionId: "session-1" };

describe("acpRunner()", () => {
  test("tells an answer in pieces and whole, and ends the agent", async () => {
    const { events, end, error } = await run(world(), { prompt: "echo one two" });
    expect({ end, error }).toEqual({ end: { reason: "done" }, error: undefined });
    expect(spoken(events)).toEqual([session, "one two"]);
    const deltas = events.flatMap((event) => (event.kind === "delta" ? event.text : []));
    expect(deltas.join("")).toBe("one two");
    const answer = events.find((event) => event.kind === "assistant");
    expect(answer!.message).toMatchObject({ model: "small", role: "assistant", type: "message" });
  });

  test("keeps thoughts apart from what is said", async () => {
    const { events } = await run(world(), { prompt: "think" });
    expect(spoken(events)).toEqual([session, { type: "thinking", thinking: "Hm", signature: "" }, "Aha"]);
  });

  test("tells a tool call once with the input that comes late, and its result once", async () => {
    const { events } = await run(world(), { prompt: "tool" });
    expect(spoken(events)).toEqual([
      session,
      { kind: "activity", text: "List files" },
      "Looking",
      { type: "tool_use", name: "Bash", input: { command: "ls" } },
      { type: "tool_result", content: "a.txt" },
      "Found one",
    ]);
    const ids = events.flatMap((event) => (event.kind === "assistant" ? event.message.id : []));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("gives a tool call a result when the agent never does", async () => {
    const { events } = await run(world(), { prompt: "forget" });
    expect(spoken(events)).toEqual([
      session,
      { kind: "activity", text: "Fetch" },
      { type: "tool_use", name: "WebFetch", input: { title: "Fetch" } },
      {
        type: "tool_result",
        content: "The agent ended its turn without reporting a result",
        is_error: true,
      },
    ]);
  });

  // "Always" is remembered here: what an agent offers for it allows more than was asked about.
  test.each([
    ["yes", { behavior: "allow" }],
    ["yes", { behavior: "allow", always: true }],
    ["no", { behavior: "deny", message: "not now" }],
  ] as const)("answers a permission request with %s", async (option, answer) => {
    const here = world();
    const { events, asked, end } = await run(here, { prompt: "ask rm -rf x", answer: () => answer });
    expect(end).toEqual({ reason: "done" });
    expect(asked).toEqual([
      {
        toolUseId: expect.any(String),
        tool: "Bash",
        input: { command: "rm -rf x" },
        title: "Run rm -rf x",
        said: "Remove it",
      },
    ]);
    const result = { type: "tool_result", content: option === "no" ? "not now" : option };
    expect(spoken(events)).toEqual([
      session,
      { type: "tool_use", name: "Bash", input: { command: "rm -rf x" } },
      option === "no" ? { ...result, is_error: true } : result,
      `You chose ${option}`,
    ]);
    const [use] = events.flatMap((event) => (event.kind === "assistant" ? event.message.content : []));
    expect(use!["id"]).toBe(asked[0]!.toolUseId);
  });

  test("goes on with one that ends its turn because something was not allowed", async () => {
    const here = world("gives-up");
    const answer = { behavior: "deny", message: "not now" } as const;
    const { events, end } = await run(here, { prompt: "ask rm -rf x", answer: () => answer });
    expect(end).toEqual({ reason: "done" });
    const words = "That was not allowed: not now. Go on without it, or say what you cannot do.";
    expect(spoken(events)).toContain(`user: ${words}`);
    expect(here.log().at(-1)).toBe(`prompt ${JSON.stringify([words])}`);
  });

  test("asks for permission only when the tool use has been recorded", async () => {
    const { cwd, options } = world();
    const order: string[] = [];
    const { request } = runnerRequest({
      cwd,
      prompt: "ask touch x",
      answer: () => {
        order.push("asked");
        return { behavior: "allow" };
      },
    });
    await play(acpRunner(options), request, {
      onEvent: async (event) => {
        if (event.kind !== "assistant" || event.message.content[0]?.type !== "tool_use") return;
        await new Promise((resolve) => setImmediate(resolve));
        order.push("recorded");
      },
    });
    expect(order).toEqual(["recorded", "asked"]);
  });

  test("stops the turn when who is asked wants to interrupt", async () => {
    const here = world();
    const { end } = await run(here, {
      prompt: "ask rm x",
      answer: () => ({ behavior: "deny", message: "stop", interrupt: true }),
    });
    expect(end).toEqual({ reason: "refusal" });
    expect(here.log()).toEqual(expect.arrayContaining(["permission cancelled", "cancel"]));
  });

  test("denies what is not among the tools without asking, and does not offer it", async () => {
    const here = world();
    const { asked } = await run(here, { prompt: "ask rm x", tools: ["Read", "Grep"] });
    expect(asked).toEqual([]);
    expect(here.log()).toContain("permission no");
    const offered: unknown = JSON.parse(here.log()[0]!.slice("initialize ".length));
    expect(offered).toMatchObject({ fs: { readTextFile: true, writeTextFile: false }, terminal: false });
  });

  test("tells the plan as to-dos, and the cost; how full the context is, is no usage", async () => {
    const { events } = await run(world(), { prompt: "plan" });
    expect(spoken(events)).toEqual([
      session,
      {
        kind: "todos",
        todos: [
          { content: "Look", status: "completed" },
          { content: "Mend", status: "in_progress" },
        ],
      },
      { kind: "usage", costUsd: 0.5 },
    ]);
  });

  test("reads and writes files for the agent", async () => {
    const here = world();
    const file = path.join(here.cwd, "new", "file.txt");
    const { events } = await run(here, { prompt: `file ${file}` });
    expect(spoken(events)).toEqual([session, "two -32002"]);
    expect(fs.readFileSync(file, "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("runs commands for the agent and keeps the end of their output", async () => {
    const { events } = await run(world(), { prompt: "terminal printf 1234567890abcdef; exit 4" });
    const answer = { exitCode: 4, signal: null, output: "7890abcdef", truncated: true };
    expect(spoken(events).at(-1)).toBe(JSON.stringify(answer));
    expect(spoken(events)).toContainEqual({ type: "tool_result", content: "7890abcdef" });
  });

  test("tells whoever watches what such a command prints while it runs", async () => {
    const here = world();
    const printed: ToolOutput[] = [];
    const tellOutput = (output: ToolOutput): void => {
      printed.push(output);
      if (output.text.includes("5")) fs.writeFileSync(path.join(here.cwd, "go"), "");
    };
    const command = "i=0; while [ ! -e go ]; do i=$((i+1)); echo $i; sleep 0.05; done";
    const { events } = await run(here, { prompt: `terminal ${command}`, tellOutput });
    const uses = events.flatMap((event) => (event.kind === "assistant" ? event.message.content : []));
    expect(printed[0]).toMatchObject({ toolUseId: uses.find(({ type }) => type === "tool_use")?.["id"] });
  });

  test("gives the agent what was said meanwhile as a further turn", async () => {
    const here = world();
    const { events, end } = await run(here, { prompt: "echo one", said: [["echo two"], []] });
    expect(end).toEqual({ reason: "done" });
    expect(spoken(events)).toEqual([session, "one", "user: echo two", "two"]);
  });

  test.each([
    ["max_tokens", "max_tokens"],
    ["max_turn_requests", "max_turns"],
    ["refusal", "refusal"],
  ])("ends with the reason of the agent: %s", async (stopReason, reason) => {
    expect((await run(world(), { prompt: `stop ${stopReason}` })).end).toEqual({ reason });
  });

  test("goes on after updates that it does not understand, and after garbage", async () => {
    const { events, end } = await run(world("garbage"), { prompt: "strange" });
    expect(end).toEqual({ reason: "done" });
    expect(spoken(events)).toEqual([session, "Still here"]);
  });
});

describe("acpRunner() in a conversation that goes on", () => {
  const earlier: RunnerRequest["messages"] = [
    { role: "user", content: "Name a colour" },
    { role: "assistant", content: [{ type: "text", text: "Blue" }] },
    { role: "user", content: "echo again" },
  ];

  test("loads the agent's session and leaves out what it replays", async () => {
    const here = world();
    const { events } = await run(here, {
      prompt: "echo again",
      messages: earlier,
      foreignSessionId: "known-session",
    });
    expect(here.log()).toEqual(expect.arrayContaining(["load known-session", 'prompt ["echo again"]']));
    expect(spoken(events)).toEqual([{ kind: "session", foreignSessionId: "known-session" }, "again"]);
  });

  test("resumes it where the agent can", async () => {
    const here = world("resume");
    await run(here, { prompt: "echo again", messages: earlier, foreignSessionId: "known-session" });
    expect(here.log()).toContain("resume known-session");
  });

  test.each([
    ["has forgotten it", [], "lost-session"],
    ["cannot load", ["no-load"], "known-session"],
  ])("tells the conversation again when the agent %s", async (_, modes, foreignSessionId) => {
    const here = world(...modes);
    const { events } = await run(here, { prompt: "echo again", messages: earlier, foreignSessionId });
    expect(spoken(events)).toEqual([session, "again"]);
    const [reminder, prompt] = JSON.parse(here.log().at(-1)!.slice("prompt ".length)) as string[];
    expect({ reminder, prompt }).toEqual({
      reminder: expect.stringMatching(/User: Name a colour\n\nYou: Blue$/),
      prompt: "echo again",
    });
  });

  test("gives a new session the system prompt first", async () => {
    const here = world();
    await run(here, { prompt: "echo x", systemPrompt: "Be brief" });
    expect(here.log().at(-1)).toBe('prompt ["Be brief","echo x"]');
  });
});

describe("acpRunner() and models", () => {
  test("chooses the model by its value, name or last part", async () => {
    for (const model of ["vendor/large", "Large", "large"]) {
      const here = world();
      await run(here, { prompt: "echo x", model });
      expect(here.log()).toContain("model vendor/large");
    }
  });

  test("refuses a model that the agent does not offer, and names those it does", async () => {
    const { error } = await run(world(), { prompt: "echo x", model: "huge" });
    expect(error).toMatchObject({
      code: "agent_failed",
      message: 'Cannot use model "huge": the agent offers small, vendor/large',
    });
  });
});

describe("acpRunner() when things go wrong", () => {
  test("says that there is no such program", async () => {
    const { request } = runnerRequest({ cwd: tempDir(), prompt: "x" });
    const { error } = await play(acpRunner({ command: "no-such-agent" }), request);
    expect(error).toMatchObject({ code: "agent_not_started" });
  });

  test("says how the agent ended, with its last words", async () => {
    const { error } = await run(world("die"), { prompt: "echo x" });
    expect(error).toMatchObject({
      code: "agent_failed",
      message: expect.stringContaining("it exited with code 7: cannot find my configuration"),
    });
  });

  test("records what was said before a crash, and closes the open tool use", async () => {
    const { events, error } = await run(world(), { prompt: "crash" });
    expect(spoken(events)).toEqual([
      session,
      "Going down",
      { type: "tool_use", name: "Bash", input: { command: "boom" } },
      { type: "tool_result", content: "The agent stopped before it reported a result", is_error: true },
    ]);
    expect(error).toMatchObject({ message: expect.stringContaining("code 3: out of luck") });
  });

  test("says how to log in", async () => {
    const { error } = await run(world("login"), { prompt: "echo x" });
    expect(error).toMatchObject({
      code: "agent_login",
      message:
        'Cannot open a session of agent "test-agent": it wants a login; it offers: Run test-agent login',
    });
  });

  test("says that the agent speaks another version", async () => {
    expect((await run(world("old"), { prompt: "echo x" })).error).toMatchObject({ code: "agent_protocol" });
  });

  test("gives up on an agent that never answers, and says what it printed instead", async () => {
    const here = world("silent", "garbage");
    here.options.startMs = 3000;
    expect((await run(here, { prompt: "echo x" })).error).toMatchObject({
      code: "agent_protocol",
      message: expect.stringMatching(/no answer in 3 s; it printed: \[1,2\]/),
    });
  });

  test("says that the agent closed its output and lives on", async () => {
    const { error } = await run(world("stubborn"), { prompt: "mute" });
    expect(error).toMatchObject({ message: expect.stringMatching(/it closed its output$/) });
  });

  test("passes an error of the host on as it is", async () => {
    const broken = new Error("the inbox cannot be read");
    const takeMessages = (): Promise<string[]> => Promise.reject(broken);
    expect((await run(world(), { prompt: "echo x", takeMessages })).error).toBe(broken);
  });

  test("passes the agent's own error on", async () => {
    expect((await run(world(), { prompt: "fail" })).error).toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(/model is overloaded.*quota/),
    });
  });
});

describe("acpRunner() when it is aborted", () => {
  test.each([
    ["that stops when it is told to", "hang", [] as string[]],
    ["that does not listen", "hang deaf", ["stubborn"]],
  ])("ends an agent %s", async (_, prompt, modes) => {
    const here = world(...modes);
    const { request } = runnerRequest({ cwd: here.cwd, prompt });
    const controller = new AbortController();
    const reason = new Error("enough");
    const played = await play(acpRunner({ ...here.options, graceMs: 300 }), request, {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.kind === "delta") controller.abort(reason);
      },
    });
    expect(played.error).toBe(reason);
    expect(spoken(played.events)).toEqual([session, "Waiting"]);
    await waitFor(() => here.log().includes("cancel"));
  });

  test("answers an open permission request", async () => {
    const here = world();
    const controller = new AbortController();
    const { request } = runnerRequest({
      cwd: here.cwd,
      prompt: "ask rm x",
      answer: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          controller.abort(new Error("enough"));
        }),
    });
    await play(acpRunner(here.options), request, { signal: controller.signal });
    expect(here.log()).toContain("permission cancelled");
  });

  test("leaves no command of a terminal running", async () => {
    const here = world();
    const controller = new AbortController();
    const { request } = runnerRequest({ cwd: here.cwd, prompt: "terminal echo $$ > pid; sleep 600" });
    const pidFile = path.join(here.cwd, "pid");
    const played = play(acpRunner({ ...here.options, graceMs: 300 }), request, { signal: controller.signal });
    const pid = await waitFor(() => fs.existsSync(pidFile) && Number(fs.readFileSync(pidFile, "utf8")));
    controller.abort(new Error("enough"));
    await played;
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("ends the agent when the host no longer asks for events", async () => {
    const here = world("stubborn");
    const { request } = runnerRequest({ cwd: here.cwd, prompt: "hang deaf" });
    const events = acpRunner(here.options)(request, new AbortController().signal);
    await events.next();
    const { done } = await events.return({ reason: "done" });
    // And no process is left, which every test checks.
    expect(done).toBe(true);
  });
});

test("acpRunner() reads the agent only as fast as the host records", async () => {
  const here = world();
  const { request } = runnerRequest({ cwd: here.cwd, prompt: "many 20000" });
  const events = acpRunner(here.options)(request, new AbortController().signal);
  await events.next();
  await waitFor(() => here.log().filter((line) => line.startsWith("sent")).length > 1000);
  // Pipes hold some hundred messages more than the queue; the agent waits long before it is through.
  const sentWhenStuck = await settled(() => here.log().length);
  expect(sentWhenStuck).toBeLessThan(15_000);
  let last: RunnerEvent | undefined;
  for (let next = await events.next(); !next.done; next = await events.next()) last = next.value;
  expect(last).toEqual({ kind: "todos", todos: [{ content: "19999", status: "pending" }] });
});

/** The value once it no longer changes. */
async function settled(read: () => number): Promise<number> {
  let before = -1;
  let stableSince = performance.now();
  return waitFor(() => {
    const now = read();
    if (now !== before) {
      before = now;
      stableSince = performance.now();
    }
    return performance.now() - stableSince > 500 && now;
  });
}
