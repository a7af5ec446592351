import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/support/index.ts";
import { knownAgents } from "./index.ts";
import { usageOf, type ReadCalls } from "./model-call.ts";

const sessionId = "249dbabf-f9de-4a31-8f9f-ad9e91ccd123";
// What every request of the scripted API uses: 1000 tokens in, 300 of them cached; 50 out, 10 of them thought.
const usage = {
  input_tokens: 700,
  output_tokens: 50,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 300,
};

function readerOf(command: string): ReadCalls {
  const starts = knownAgents.flatMap((known) => known.starts);
  return starts.find((start) => start.command === command)!.habits!.readCalls!;
}

function write(file: string, ...lines: object[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

// Lines as the published agents wrote them, without what is not read.
const agents: [command: string, file: string, line: object][] = [
  [
    "gemini",
    `.gemini/tmp/project/chats/session-2026-11-19T23-03-${sessionId.slice(0, 8)}.jsonl`,
    {
      type: "gemini",
      content: "I do it.",
      tokens: { input: 1000, output: 40, cached: 300, thoughts: 10, tool: 0, total: 1050 },
      model: "scripted",
    },
  ],
  [
    "pi-acp",
    `.pi/agent/sessions/--project--/2026-11-19T23-06-39-100Z_${sessionId}.jsonl`,
    {
      type: "message",
      message: {
        role: "assistant",
        model: "scripted",
        usage: { input: 700, output: 50, cacheRead: 300, cacheWrite: 0, reasoning: 10, totalTokens: 1050 },
      },
    },
  ],
  [
    "copilot",
    `.copilot/session-state/${sessionId}/events.jsonl`,
    {
      type: "session.usage_record",
      data: {
        usage: {
          model: "scripted",
          inputTokens: 1000,
          outputTokens: 50,
          cacheReadTokens: 300,
          cacheWriteTokens: 0,
        },
      },
    },
  ],
  [
    "claude-agent-acp",
    `.claude/projects/-project/${sessionId}.jsonl`,
    { type: "assistant", requestId: "req_1", message: { id: "msg_1", model: "scripted", usage } },
  ],
];

describe("the tokens of an agent are read from its own session", () => {
  test.each(agents)("%s", (command, file, line) => {
    const home = tempDir();
    const at = path.join(home, file);
    const read = readerOf(command)({ sessionId, env: { HOME: home } });
    expect(read()).toEqual([]);
    write(at, { type: "user" }, line);
    expect(read()).toMatchObject([{ model: "scripted", usage }]);
    expect(read()).toEqual([]);
    // Half a line is read when it is whole.
    fs.appendFileSync(at, JSON.stringify({ ...line, message: { ...Object(line).message, id: "msg_2" } }));
    expect(read()).toEqual([]);
    fs.appendFileSync(at, "\n");
    expect(read()).toMatchObject([{ usage }]);
  });

  test("codex-acp, whose model is told at the beginning of a turn", () => {
    const home = tempDir();
    const read = readerOf("codex-acp")({ sessionId, env: { HOME: home } });
    write(
      path.join(home, `.codex/sessions/2026/11/19/rollout-2026-11-19T23-04-12-${sessionId}.jsonl`),
      { type: "turn_context", payload: { model: "scripted" } },
      {
        type: "token_usage_record",
        payload: {
          usage: {
            input_tokens: 1000,
            cached_input_tokens: 300,
            cache_write_input_tokens: 0,
            output_tokens: 50,
            reasoning_output_tokens: 10,
            total_tokens: 1050,
          },
        },
      },
    );
    expect(read()).toMatchObject([{ model: "scripted", usage }]);
  });

  test("opencode, whose messages are in a database and have their counts when they are over", () => {
    const home = tempDir();
    const read = readerOf("opencode")({ sessionId: "ses_1", env: { HOME: home } });
    expect(read()).toEqual([]);
    const file = path.join(home, ".local/share/opencode/opencode.db");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE message (id text, session_id text, time_created integer, data text)");
    const tokens = { input: 700, output: 40, reasoning: 10, cache: { write: 0, read: 300 } };
    const put = (id: string, message: object): unknown =>
      database
        .prepare("INSERT OR REPLACE INTO message VALUES (?, 'ses_1', 1, ?)")
        .run(id, JSON.stringify({ role: "assistant", modelID: "scripted", ...message }));
    put("m1", { tokens });
    expect(read()).toEqual([]);
    put("m2", { tokens: { total: 1050, ...tokens } });
    expect(read()).toMatchObject([{ model: "scripted", usage }]);
    expect(read()).toEqual([]);
    database.close();
  });
});

// What was cached, and what was thought, is counted apart or within; the total says which.
test.each([
  ["both within (copilot, qwen)", { input: 1000, output: 50, total: 1050 }],
  ["what was cached apart (codex-acp)", { input: 700, output: 50, total: 1050 }],
  ["both apart (opencode)", { input: 700, output: 40, total: 1050 }],
  ["thoughts apart (gemini)", { input: 1000, output: 40, total: 1050 }],
])("usageOf() counts as the Messages API does: %s", (_, told) => {
  expect(usageOf({ ...told, cacheRead: 300, thoughts: 10 })).toEqual(usage);
});
