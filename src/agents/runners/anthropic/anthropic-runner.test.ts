import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { resultsIn, runAnthropic as run, type AnthropicRun } from "../../../../test/support/anthropic-run.ts";
import { startMessagesServer, tempDir, type MessagesStep } from "../../../../test/support/index.ts";
import { play, runnerRequest } from "../../../../test/support/runner-request.ts";
import { basicEnv } from "../../../../test/support/task-world.ts";
import { answerTokensMax, unfinishedAnswersMax } from "./limits.ts";
import type { ContentPart, RunnerEvent } from "../../../tasks/ports.ts";
import { anthropicRunner } from "./index.ts";

const withoutDeltas = (events: RunnerEvent[]): RunnerEvent[] => events.filter(({ kind }) => kind !== "delta");
const message = (id: string, content: ContentPart[], stop_reason: string, usage: object = {}): unknown => ({
  id,
  model: "claude-sonnet-5-5",
  role: "assistant",
  type: "message",
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5, ...usage },
});
/** What the model was given at the nth request, without the marks of the cache. */
function askedWith({ server }: AnthropicRun, index: number): unknown {
  return JSON.parse(
    JSON.stringify(server.requests[index]!.body.messages, (key, value: unknown) =>
      key === "cache_control" ? undefined : value,
    ),
  );
}

describe("anthropicRunner() asks and answers", () => {
  test("tells an answer in pieces, then whole", async () => {
    const { events, end } = await run(["Hello you"]);
    expect(events).toEqual([
      { kind: "delta", text: "Hello" },
      { kind: "delta", text: " you" },
      {
        kind: "assistant",
        message: message("msg_1", [{ type: "text", text: "Hello you" }], "end_turn"),
        requestId: "req_1",
      },
    ]);
    expect(end).toEqual({ reason: "done" });
  });

  test("sends the key, the model, the prompt and the tools, with marks for the cache", async () => {
    const ran = await run(["Hi"], {
      model: "opus",
      systemPrompt: "You are Explore.",
      tools: ["Read", "Agent", "Unheard"],
    });
    const { headers, body } = ran.server.requests[0]!;
    expect(headers["authorization"]).toBe("Bearer key");
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body).toEqual({
      model: "claude-opus-5-5",
      max_tokens: answerTokensMax,
      stream: true,
      system: [
        { type: "text", text: expect.stringMatching(/You are Explore\.[^]*Today: 2026-01-02/), ...mark },
      ],
      tools: [expect.objectContaining({ name: "Read" }), expect.objectContaining({ name: "Task", ...mark })],
      messages: [{ role: "user", content: [{ type: "text", text: "Go", ...mark }] }],
    });
    expect(body.system![0]!.text).toContain(`Working folder: ${ran.cwd}`);
    expect(body.tools![0]!["input_schema"]).toMatchObject({ type: "object", required: ["file_path"] });
  });

  test("takes key, address and model from the request's environment, not from this process's", async () => {
    await using server = await startMessagesServer("Hi");
    const env = { ANTHROPIC_AUTH_TOKEN: "token", ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: "haiku" };
    const { request } = runnerRequest({ prompt: "Go", cwd: tempDir(), env });
    expect(await play(anthropicRunner(), request)).toMatchObject({ end: { reason: "done" } });
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: "Bearer token" },
      body: { model: "claude-haiku-5-5" },
    });
  });

  test("says what to do when there is no key", async () => {
    const { error, events } = await run(["Hi"], { runner: { apiKey: "" } });
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: "api_key_missing",
      message:
        "Cannot ask the Messages API: no key; set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway)",
    });
  });

  test("gives the model what was said meanwhile, before its turn and instead of the end", async () => {
    const ran = await run(["One", "Two"], { said: [["and this"], ["more", "and more"], []] });
    expect(
      withoutDeltas(ran.events).map((event) => ("message" in event ? event.message.content : event)),
    ).toEqual([
      "and this",
      [{ type: "text", text: "One" }],
      "more",
      "and more",
      [{ type: "text", text: "Two" }],
    ]);
    expect(askedWith(ran, 1)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go" },
          { type: "text", text: "and this" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "One" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "more" },
          { type: "text", text: "and more" },
        ],
      },
    ]);
  });
});

describe("anthropicRunner() with tools", () => {
  test("tells a message block by block, runs its tools, and keeps signed thoughts", async () => {
    const cwd = tempDir();
    fs.writeFileSync(path.join(cwd, "a.txt"), "first\n");
    const usage = { output_tokens: 40, cache_read_input_tokens: 7 };
    const content = [
      { thinking: "Hm, a file", signature: "sig" },
      "Looking",
      { tool: "Read", input: { file_path: "a.txt" }, id: "toolu_a" },
    ];
    const ran = await run([{ kind: "answer", content, usage }, "Done"], { cwd });
    const blocks = [
      { type: "thinking", thinking: "Hm, a file", signature: "sig" },
      { type: "text", text: "Looking" },
      { type: "tool_use", id: "toolu_a", name: "Read", input: { file_path: "a.txt" } },
    ];
    const result = { type: "tool_result", tool_use_id: "toolu_a", content: "     1\tfirst" };
    const file = {
      filePath: path.join(cwd, "a.txt"),
      content: "first",
      numLines: 1,
      startLine: 1,
      totalLines: 1,
    };
    expect(withoutDeltas(ran.events)).toEqual([
      ...blocks.map((block) => ({
        kind: "assistant",
        message: message("msg_1", [block], "tool_use", usage),
        requestId: "req_1",
      })),
      { kind: "user", message: { role: "user", content: [result] }, toolUseResult: { type: "text", file } },
      {
        kind: "assistant",
        message: message("msg_2", [{ type: "text", text: "Done" }], "end_turn"),
        requestId: "req_2",
      },
    ]);
    expect(askedWith(ran, 1)).toEqual([
      { role: "user", content: [{ type: "text", text: "Go" }] },
      { role: "assistant", content: blocks },
      { role: "user", content: [result] },
    ]);
    expect(ran.asked).toEqual([]);
  });

  test("asks before a tool that changes something, and tells the model of a refusal", async () => {
    const input = { file_path: "new.txt", content: "x" };
    const { asked, events, cwd, end } = await run(
      [{ kind: "answer", content: [{ tool: "Write", input, id: "toolu_w" }] }, "All right"],
      { answer: () => ({ behavior: "deny", message: "not there" }) },
    );
    expect(asked).toEqual([
      {
        toolUseId: "toolu_w",
        tool: "Write",
        input,
        title: "Write new.txt (1 characters)",
        realPath: path.join(cwd, "new.txt"),
      },
    ]);
    expect(resultsIn(events)).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_w",
        content: "Permission denied: not there",
        is_error: true,
      },
    ]);
    expect(fs.readdirSync(cwd)).toEqual([]);
    expect(end).toEqual({ reason: "done" });
  });

  test("asks nobody before a tool that only reads, but heeds what denies it", async () => {
    const content = [
      { tool: "Read", input: { file_path: ".env" }, id: "toolu_1" },
      { tool: "Glob", input: { pattern: "*" }, id: "toolu_2" },
    ];
    const { asked, events } = await run([{ kind: "answer", content }, "All right"], {
      whyDenied: async ({ tool, input }) =>
        tool === "Read" && input["file_path"] === ".env" ? "it is secret" : undefined,
    });
    expect(asked).toEqual([]);
    expect(resultsIn(events)).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: "Permission denied: it is secret",
        is_error: true,
      },
      { type: "tool_result", tool_use_id: "toolu_2", content: "No files found" },
    ]);
  });

  test("stops with every use answered when the refusal says so", async () => {
    const content = [
      { tool: "Bash", input: { command: "echo 1 >> ran" }, id: "toolu_1" },
      { tool: "Bash", input: { command: "echo 2 >> ran" }, id: "toolu_2" },
    ];
    const { events, error, cwd } = await run([{ kind: "answer", content }], {
      answer: () => ({ behavior: "deny", message: "stop it", interrupt: true }),
    });
    expect(resultsIn(events)).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: "Permission denied: stop it", is_error: true },
      {
        type: "tool_result",
        tool_use_id: "toolu_2",
        content: "Not run: the person stopped the work at an earlier tool use",
        is_error: true,
      },
    ]);
    expect(error).toMatchObject({ code: "run_interrupted" });
    expect(fs.readdirSync(cwd)).toEqual([]);
  });

  test.each<[string, MessagesStep, RegExp]>([
    [
      "unknown",
      { kind: "answer", content: [{ tool: "Fly", input: {} }] },
      /There is no tool "Fly"; .*Bash, Read/,
    ],
    [
      "given input that does not fit",
      { kind: "answer", content: [{ tool: "Read", input: { file_path: 7 } }] },
      /The input of Read is not valid:[^]*file_path/,
    ],
    [
      "given input that is no JSON",
      { kind: "answer", content: [{ tool: "Read", rawInput: '{"file_path": "a' }] },
      /Not run: the input is not a JSON object \(16 characters\); send it again/,
    ],
    [
      "given input that is no object",
      { kind: "answer", content: [{ tool: "Read", rawInput: "[1]" }] },
      /Not run: the input is not a JSON object/,
    ],
    [
      "cut off by the limit of tokens",
      { kind: "answer", content: [{ tool: "Read", rawInput: '{"file' }], stopReason: "max_tokens" },
      /cut off at 32000 tokens, inside this input; do it in smaller parts/,
    ],
  ])("answers the use of a tool that is %s, and goes on", async (_case, step, words) => {
    const ran = await run([step, "Sorry"]);
    expect(resultsIn(ran.events)).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_1_0",
        content: expect.stringMatching(words),
        is_error: true,
      },
    ]);
    expect(ran.end).toEqual({ reason: "done" });
    expect(askedWith(ran, 1)).toMatchObject([{}, { content: [{ type: "tool_use" }] }, { content: [{}] }]);
  });

  test("runs what changes something in order, and what only reads side by side", async () => {
    const cwd = tempDir();
    const step = (command: string): { tool: string; input: object } => ({ tool: "Bash", input: { command } });
    const find = { tool: "Glob", input: { pattern: "*" } };
    const { events } = await run(
      [
        {
          kind: "answer",
          content: [step("sleep 0.1; echo 1 > one"), find, find, step("ls"), step("echo 2 > two")],
        },
        "Done",
      ],
      { cwd },
    );
    const file = path.join(cwd, "one");
    expect(resultsIn(events).map(({ content }) => content)).toEqual([
      "(no output)",
      file,
      file,
      "one",
      "(no output)",
    ]);
  });

  test("tells a to-do list", async () => {
    const todos = [{ content: "Run tests", status: "in_progress", activeForm: "Running tests" }];
    const { events } = await run([
      { kind: "answer", content: [{ tool: "TodoWrite", input: { todos } }] },
      { kind: "answer", content: [{ tool: "TodoWrite", input: { todos: [] } }] },
      "Done",
    ]);
    expect(
      events.flatMap((event): unknown[] => {
        if (event.kind === "todos") return [event.todos];
        return event.kind === "user" ? [event.toolUseResult] : [];
      }),
    ).toEqual([todos, { oldTodos: [], newTodos: todos }, [], { oldTodos: todos, newTodos: [] }]);
  });
});

describe("anthropicRunner() ends", () => {
  test.each([
    ["max_tokens", { reason: "max_tokens" }],
    ["model_context_window_exceeded", { reason: "max_tokens" }],
    ["refusal", { reason: "refusal" }],
    ["stop_sequence", { reason: "done" }],
  ])("after %s", async (stopReason, end) => {
    expect(await run([{ kind: "answer", content: ["So far"], stopReason }])).toMatchObject({ end });
  });

  test("without hearing more when it cannot go on", async () => {
    const said = [[], ["unheard"]];
    const step: MessagesStep = { kind: "answer", content: ["So far"], stopReason: "max_tokens" };
    expect(await run([step], { said })).toMatchObject({ end: { reason: "max_tokens" } });
    expect(said).toEqual([["unheard"]]);
  });

  test("never runs a tool of a message that was refused", async () => {
    const content = [{ tool: "Bash", input: { command: "echo > ran" } }];
    const { events, end, cwd } = await run([{ kind: "answer", content, stopReason: "refusal" }]);
    expect(resultsIn(events)).toMatchObject([
      { content: "Not run: the message was refused", is_error: true },
    ]);
    expect(end).toEqual({ reason: "refusal" });
    expect(fs.readdirSync(cwd)).toEqual([]);
  });

  test("goes on after a pause, but not for ever", async () => {
    const pause: MessagesStep = { kind: "answer", content: ["Hold on"], stopReason: "pause_turn" };
    expect(await run([pause, pause, "Done"])).toMatchObject({ end: { reason: "done" } });
    const ran = await run(Array.from({ length: unfinishedAnswersMax + 1 }, () => pause));
    expect(ran.end).toEqual({ reason: "max_tokens" });
    expect(ran.server.stepsLeft).toBe(0);
  });

  test("counts a message without a block, and never sends it back", async () => {
    const ran = await run([{ kind: "answer", content: [] }, "Yes"], { said: [[], ["Well?"], []] });
    expect(ran.events[0]).toEqual({
      kind: "assistant",
      message: message("msg_1", [], "end_turn"),
      requestId: "req_1",
    });
    expect(askedWith(ran, 1)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Go" },
          { type: "text", text: "Well?" },
        ],
      },
    ]);
  });

  test("never sends back an answer of nothing but thoughts", async () => {
    const ran = await run([{ kind: "answer", content: [{ thinking: "Hm" }] }, "Yes"], {
      said: [[], ["Well?"], []],
    });
    expect(askedWith(ran, 1)).toMatchObject([{ role: "user" }]);
  });
});

describe("anthropicRunner() marks for the cache", () => {
  test("the tools, the prompt and the last two messages of the user, never more than the API takes", async () => {
    const list: MessagesStep = {
      kind: "answer",
      content: [{ tool: "Bash", input: { command: "true" } }],
    };
    const { server } = await run([list, list, list, "Done"]);
    const marks = server.requests.map(({ body }) => JSON.stringify(body).match(/"cache_control"/g)!.length);
    expect(marks).toEqual([3, 4, 4, 4]);
    const last = server.requests[3]!.body.messages;
    expect(last.map(({ content }) => JSON.stringify(content).includes("cache_control"))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});

test("anthropicRunner() gives commands the request's environment, and runs them in bash whatever the user's shell", async () => {
  const env = { ...basicEnv, SHELL: "/bin/sh", WHO: "you" };
  const content = [
    { tool: "Bash", input: { command: "echo $WHO ${BASH_VERSION:+bash} ${SHELL##*/} $GIT_EDITOR" } },
  ];
  const { events } = await run([{ kind: "answer", content }, "Done"], { env });
  expect(resultsIn(events)).toMatchObject([{ content: "you bash bash true" }]);
});
