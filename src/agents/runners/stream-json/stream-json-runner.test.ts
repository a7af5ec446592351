import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { play, runnerRequest, type Played } from "../../../../test/support/runner-request.ts";
import { tempDir } from "../../../../test/support/index.ts";
import type { PermissionRequest, RunnerEvent } from "../../../tasks/ports.ts";
import { plainMapping, streamJsonRunner, type StreamJsonRunnerOptions } from "./index.ts";

const program = fileURLToPath(new URL("../../../../test/programs/json-lines-agent.ts", import.meta.url));

interface Ran extends Played {
  asked: PermissionRequest[];
  /** What the program noted: its arguments, what it was told. */
  log: Record<string, unknown>[];
}

async function run(
  steps: object[],
  dialect: StreamJsonRunnerOptions["dialect"],
  {
    signal,
    onEvent,
    ...given
  }: Partial<Parameters<typeof runnerRequest>[0]> & {
    signal?: AbortSignal;
    onEvent?: (event: RunnerEvent) => void;
  } = {},
): Promise<Ran> {
  const cwd = tempDir();
  const script = path.join(cwd, "script.json");
  const logFile = path.join(cwd, "log");
  fs.writeFileSync(script, JSON.stringify(steps));
  const runner = streamJsonRunner({
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", program, script],
    env: { AGENT_LOG: logFile },
    dialect,
    graceMs: 300,
  });
  const { request, asked } = runnerRequest({ cwd, prompt: "Do it", ...given });
  const played = await play(runner, request, { ...(signal && { signal }), ...(onEvent && { onEvent }) });
  const log = fs.readFileSync(logFile, "utf8").trimEnd().split("\n");
  return { ...played, asked, log: log.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const message = (id: string, ...content: object[]): object => ({
  type: "assistant",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude-x",
    content,
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 2 },
  },
  parent_tool_use_id: null,
  session_id: "s-1",
});
const init = { type: "system", subtype: "init", session_id: "s-1", model: "claude-x" };
const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  stop_reason: "end_turn",
  session_id: "s-1",
  total_cost_usd: 0.25,
  modelUsage: { "claude-x": { inputTokens: 30, outputTokens: 7, cacheReadInputTokens: 5 } },
};
const sessionEvent = { kind: "session", foreignSessionId: "s-1" };
const usageEvent = {
  kind: "usage",
  usage: {
    input_tokens: 30,
    output_tokens: 7,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 5,
  },
  costUsd: 0.25,
};
const userLine = { expect: "user" };

describe("streamJsonRunner() with claude", () => {
  test("passes its messages on as they are, with session, pieces, to-dos, results and totals", async () => {
    const todos = [{ content: "Look", status: "pending", activeForm: "Looking" }];
    const use = { type: "tool_use", id: "toolu_1", name: "TodoWrite", input: { todos } };
    const answer = message("msg_1", { type: "text", text: "Hello" });
    const toolUse = message("msg_1", use);
    const toolResult = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "ok" }],
    };
    const { events, end, log } = await run(
      [
        userLine,
        { print: init },
        {
          print: {
            type: "stream_event",
            event: { type: "content_block_delta", delta: { type: "text_delta", text: "Hel" } },
            parent_tool_use_id: null,
          },
        },
        { print: answer },
        { print: toolUse },
        { print: { type: "user", message: toolResult, tool_use_result: { oldTodos: [] } } },
        { print: { type: "something_new", data: 1 } },
        { print: result },
        { readAll: true },
      ],
      "claude",
    );
    expect(end).toEqual({ reason: "done" });
    expect(events).toEqual([
      sessionEvent,
      { kind: "delta", text: "Hel" },
      { kind: "assistant", message: (answer as { message: object }).message },
      { kind: "assistant", message: (toolUse as { message: object }).message },
      { kind: "todos", todos },
      { kind: "user", message: toolResult, toolUseResult: { oldTodos: [] } },
      usageEvent,
    ]);
    expect(log[1]).toEqual({
      heard: {
        type: "user",
        message: { role: "user", content: [{ type: "text", text: "Do it" }] },
        parent_tool_use_id: null,
      },
    });
  });

  test("keeps the messages of its sub-agents out, and tells what they do", async () => {
    const inner = message("msg_9", { type: "tool_use", id: "t", name: "Grep", input: {} });
    const { events } = await run(
      [
        userLine,
        { print: { ...inner, parent_tool_use_id: "toolu_1" } },
        { print: { type: "user", message: { role: "user", content: "x" }, parent_tool_use_id: "toolu_1" } },
        { print: result },
      ],
      "claude",
    );
    expect(events).toEqual([{ kind: "activity", text: "Sub-agent: Grep" }, usageEvent]);
  });

  const question = {
    type: "control_request",
    request_id: "r-1",
    request: {
      subtype: "can_use_tool",
      tool_name: "Bash",
      tool_use_id: "toolu_1",
      input: { command: "ls" },
      description: "List",
      permission_suggestions: [
        { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" },
        { type: "setMode", mode: "acceptEdits", destination: "session" },
      ],
    },
  };

  test.each([
    [{ behavior: "allow" }, { behavior: "allow", updatedInput: { command: "ls" } }],
    [
      { behavior: "allow", always: true },
      {
        behavior: "allow",
        updatedInput: { command: "ls" },
      },
    ],
    [
      { behavior: "deny", message: "no" },
      { behavior: "deny", message: "no" },
    ],
  ] as const)("answers a question about a tool: %j", async (answer, response) => {
    const { asked, log, end } = await run(
      [userLine, { print: question }, { expect: "control_response" }, { print: result }],
      "claude",
      { answer: () => answer },
    );
    expect(end).toEqual({ reason: "done" });
    expect(asked).toEqual([
      { toolUseId: "toolu_1", tool: "Bash", input: { command: "ls" }, title: "Run ls", said: "List" },
    ]);
    expect(log.at(-1)).toEqual({
      heard: {
        type: "control_response",
        response: { subtype: "success", request_id: "r-1", response },
      },
    });
  });

  test("refuses one whose own settings put it into another mode, unless everything is allowed", async () => {
    const lines = [userLine, { print: { ...init, permissionMode: "bypassPermissions" } }, { print: result }];
    const asked = await run(lines, "claude", { permission: "ask" });
    expect(asked.error).toMatchObject({ code: "agent_unfenced" });
    expect((await run(lines, "claude", { permission: "allow" })).end).toEqual({ reason: "done" });
  });

  test("no longer waits for an answer that the program withdraws", async () => {
    const { log } = await run(
      [
        userLine,
        { print: question },
        { print: { type: "control_cancel_request", request_id: "r-1" } },
        { expect: "control_response" },
        { print: result },
      ],
      "claude",
      {
        answer: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("withdrawn")));
          }),
      },
    );
    expect(log.at(-1)).toMatchObject({ heard: { response: { subtype: "error", request_id: "r-1" } } });
  });

  test("gives it session, model, system prompt and tools", async () => {
    const { log } = await run([userLine, { print: init }, { print: result }], "claude", {
      foreignSessionId: "s-1",
      model: "opus",
      systemPrompt: "Be brief",
      tools: ["Read", "Bash"],
    });
    const given = ["--resume", "s-1", "--model", "opus"];
    const more = ["--append-system-prompt", "Be brief", "--tools", "Read,Bash"];
    expect((log[0]!["args"] as string[]).slice(-8)).toEqual([...given, ...more]);
  });

  test("tells the conversation again when the session is gone", async () => {
    const { events, end, log } = await run(
      [
        { when: "--resume", stderr: "No conversation found", exit: 1 },
        userLine,
        { print: init },
        { print: message("msg_1", { type: "text", text: "Again" }) },
        { print: result },
      ],
      "claude",
      {
        foreignSessionId: "s-0",
        messages: [
          { role: "user", content: "Name a colour" },
          { role: "assistant", content: [{ type: "text", text: "Blue" }] },
          { role: "user", content: "Do it" },
        ],
      },
    );
    expect(end).toEqual({ reason: "done" });
    expect(events[0]).toEqual({
      kind: "activity",
      text: "Its earlier session is gone; it gets the conversation again as text",
    });
    expect(JSON.stringify(log.at(-1))).toMatch(/User: Name a colour.*You: Blue.*Do it/);
  });

  test("says further things in a run that goes on with the session", async () => {
    const { events, log } = await run([userLine, { print: init }, { print: result }], "claude", {
      said: [["And then", "what?"]],
    });
    expect(events).toEqual([
      sessionEvent,
      usageEvent,
      { kind: "user", message: { role: "user", content: "And then" } },
      { kind: "user", message: { role: "user", content: "what?" } },
      sessionEvent,
      usageEvent,
    ]);
    const second = log.filter((line) => "args" in line)[1]!["args"] as string[];
    expect(second.slice(-2)).toEqual(["--resume", "s-1"]);
    expect(log.at(-1)).toMatchObject({
      heard: { message: { content: [{ type: "text", text: "And then\n\nwhat?" }] } },
    });
  });

  test.each([
    [{ ...result, subtype: "error_max_turns", is_error: true }, { reason: "max_turns" }],
    [{ ...result, stop_reason: "refusal" }, { reason: "refusal" }],
    [{ ...result, stop_reason: "max_tokens" }, { reason: "max_tokens" }],
  ])("ends as it says", async (line, end) => {
    expect((await run([userLine, { print: line }], "claude")).end).toEqual(end);
  });

  test("fails with its own words when its result is an error", async () => {
    const line = { ...result, is_error: true, result: "Invalid API key" };
    const { error, events } = await run([userLine, { print: line }, { exit: 1 }], "claude");
    expect(events).toEqual([usageEvent]);
    expect(error).toMatchObject({
      code: "agent_failed",
      message: expect.stringContaining("Invalid API key"),
    });
  });

  test("asks it to stop when it is aborted, and ends it when it does not", async () => {
    for (const steps of [[{ expect: "control_request" }, { print: result }], [{ hang: "deaf" }]]) {
      const controller = new AbortController();
      const reason = new Error("enough");
      const { error } = await run([userLine, { print: init }, ...steps], "claude", {
        signal: controller.signal,
        onEvent: () => controller.abort(reason),
      });
      expect(error).toBe(reason);
    }
  });
});

describe("streamJsonRunner() with codex", () => {
  const thread = { type: "thread.started", thread_id: "t-1" };
  const completed = {
    type: "turn.completed",
    usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 9 },
  };
  const item = (type: string, id: string, more: object): object => ({ id, type, ...more });

  test("turns items into messages, each tool use with one result", async () => {
    const command = { command: "ls", status: "in_progress" };
    const { events, end, log } = await run(
      [
        { readAll: true },
        { print: thread },
        { print: { type: "item.started", item: item("command_execution", "i1", command) } },
        {
          print: {
            type: "item.completed",
            item: item("command_execution", "i1", {
              ...command,
              aggregated_output: "a.txt",
              exit_code: 1,
              status: "failed",
            }),
          },
        },
        {
          print: {
            type: "item.completed",
            item: item("file_change", "i2", { changes: [{ path: "a", kind: "add" }], status: "completed" }),
          },
        },
        {
          print: {
            type: "item.updated",
            item: item("todo_list", "i3", { items: [{ text: "Look", completed: true }] }),
          },
        },
        { print: { type: "item.completed", item: item("agent_message", "i4", { text: "Done" }) } },
        { print: completed },
      ],
      "codex",
      { systemPrompt: "Be brief" },
    );
    expect(end).toEqual({ reason: "done" });
    const told = events.map((event) =>
      event.kind === "assistant" || event.kind === "user" ? event.message.content : event,
    );
    expect(told).toEqual([
      { kind: "session", foreignSessionId: "t-1" },
      [{ type: "tool_use", id: expect.any(String), name: "Bash", input: { command: "ls" } }],
      [{ type: "tool_result", tool_use_id: expect.any(String), content: "a.txt", is_error: true }],
      [
        {
          type: "tool_use",
          id: expect.any(String),
          name: "Edit",
          input: { changes: [{ path: "a", kind: "add" }] },
        },
      ],
      [{ type: "tool_result", tool_use_id: expect.any(String), content: "" }],
      { kind: "todos", todos: [{ content: "Look", status: "completed" }] },
      [{ type: "text", text: "Done" }],
    ]);
    const last = events.findLast((event) => event.kind === "assistant")!.message.usage;
    expect(last).toMatchObject({ input_tokens: 60, output_tokens: 9, cache_read_input_tokens: 40 });
    expect(log.at(-1)).toEqual({ stdin: "Be brief\n\nDo it" });
  });

  test.each([
    ["workspace-write", { behavior: "allow" }],
    ["read-only", { behavior: "deny", message: "no" }],
  ] as const)("asks once whether it may change files: %s", async (sandbox, answer) => {
    const { asked, log } = await run([{ readAll: true }, { print: completed }], "codex", {
      answer: () => answer,
    });
    expect(asked).toHaveLength(1);
    expect(log[0]!["args"]).toEqual(expect.arrayContaining(["--sandbox", sandbox]));
  });

  test("goes on with its thread", async () => {
    const { log } = await run([{ readAll: true }, { print: completed }], "codex", {
      foreignSessionId: "t-1",
      model: "gpt-x",
    });
    expect((log[0]!["args"] as string[]).slice(-5)).toEqual(["--model", "gpt-x", "resume", "t-1", "-"]);
  });

  test("fails when the turn fails, with the open tool use closed", async () => {
    const begun = { type: "item.started", item: item("command_execution", "i1", { command: "ls" }) };
    const { events, error } = await run(
      [
        { readAll: true },
        { print: begun },
        { print: { type: "turn.failed", error: { message: "stream disconnected" } } },
        { exit: 1 },
      ],
      "codex",
    );
    expect(events.at(-1)).toMatchObject({ kind: "user", message: { content: [{ is_error: true }] } });
    expect(error).toMatchObject({ message: expect.stringContaining("stream disconnected") });
  });
});

describe("streamJsonRunner() with a mapping", () => {
  const plain = { mapping: plainMapping };

  test("finds text, tools, usage and session where the mapping says", async () => {
    const { events, end } = await run(
      [
        { readAll: true },
        { print: { session_id: "x", delta: "He" } },
        { print: { tool: { name: "look", input: "here" } } },
        { print: { tool: { result: { found: 1 } } } },
        { print: { text: "Hello", usage: { input_tokens: 3, output_tokens: 4 }, cost_usd: 0.1 } },
      ],
      plain,
    );
    expect(end).toEqual({ reason: "done" });
    const told = events.map((event) =>
      event.kind === "assistant" || event.kind === "user" ? event.message.content : event,
    );
    expect(told).toEqual([
      { kind: "session", foreignSessionId: "x" },
      { kind: "delta", text: "He" },
      [{ type: "tool_use", id: expect.any(String), name: "look", input: { input: "here" } }],
      [{ type: "tool_result", tool_use_id: expect.any(String), content: '{"found":1}' }],
      [{ type: "text", text: "Hello" }],
      { kind: "usage", usage: { input_tokens: 3, output_tokens: 4 }, costUsd: 0.1 },
    ]);
  });

  test("passes over garbage, broken characters and blank lines", async () => {
    const { events, end } = await run(
      [
        { readAll: true },
        { print: "Starting up…" },
        { bytes: "fffe0a0a" },
        { print: "[1]" },
        { print: { text: "Here" } },
      ],
      plain,
    );
    expect(end).toEqual({ reason: "done" });
    expect(events).toHaveLength(1);
  });

  test("does not wait for a child that holds its output", async () => {
    const { end, log } = await run([{ readAll: true }, { child: true }, { print: { text: "Here" } }], plain);
    expect(end).toEqual({ reason: "done" });
    process.kill(log.at(-1)!["child"] as number);
  });

  test("says how it ended, what it complained about and what it printed", async () => {
    const { error } = await run(
      [{ readAll: true }, { print: "Segmentation soon" }, { stderr: "no disk\n" }, { exit: 9 }],
      plain,
    );
    expect(error).toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(/it exited with code 9: no disk; it printed: Segmentation soon$/),
    });
  });

  test("gives up on a line that is longer than any message", async () => {
    const { error } = await run([{ readAll: true }, { long: 65 * 1024 * 1024 }, { hang: "deaf" }], plain);
    expect(error).toMatchObject({ code: "agent_protocol" });
  });

  test("terminates it when it is aborted", async () => {
    const controller = new AbortController();
    const { error } = await run([{ readAll: true }, { print: { text: "x" } }, { hang: "polite" }], plain, {
      signal: controller.signal,
      onEvent: () => controller.abort(new Error("enough")),
    });
    expect(error).toMatchObject({ message: "enough" });
  });

  test("resumes with the arguments of the mapping, else tells the conversation", async () => {
    const steps = [{ readAll: true }, { print: { session_id: "x", text: "One" } }];
    const said = [["More"]];
    const resumable = { ...plain, resumeArgs: ["--session", "{session}"] };
    const { log } = await run(steps, resumable, { said: structuredClone(said) });
    expect(log.slice(-2)).toEqual([{ args: ["--session", "x"] }, { stdin: "More" }]);
    const { log: retold } = await run(steps, plain, { said });
    expect(retold.at(-1)!["stdin"]).toMatch(/User: Do it\n\nYou: One\n\nMore$/);
  });
});
