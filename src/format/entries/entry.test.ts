import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireSharedCorpus } from "../../../test/support/shared-corpus.ts";
import { parseEntry } from "./entry.ts";

const uuid = "1ae964b5-0e3d-462b-bb37-037766163035";
const node = {
  uuid,
  parentUuid: null,
  isSidechain: false,
  timestamp: "2026-11-15T20:00:00.000Z",
  sessionId: "f6b7329a-914c-4f62-8090-4e29b032b173",
  cwd: "/home/user/project",
  version: "2.1.325",
  gitBranch: "main",
  userType: "external",
};

describe("parseEntry()", () => {
  test.each<[string, Record<string, unknown>]>([
    ["user text", { ...node, type: "user", message: { role: "user", content: "hi" } }],
    ["the least a client accepts", { type: "user", uuid, parentUuid: null, message: { content: "hi" } }],
    [
      "tool result with blocks",
      {
        ...node,
        type: "user",
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [
                { type: "text", text: "x" },
                { type: "tool_reference", tool_name: "Grep" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
              ],
              is_error: false,
            },
          ],
        },
        toolUseResult: "Error: no",
        origin: { kind: "task-notification", runId: "r" },
      },
    ],
    [
      "assistant",
      {
        ...node,
        type: "assistant",
        message: {
          id: "msg_1",
          model: "m",
          role: "assistant",
          content: [
            { type: "thinking", thinking: "…", signature: "s" },
            { type: "tool_use", id: "toolu_1", name: "Bash", input: {} },
            { type: "server_tool_use", anything: [1] },
          ],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 2, service_tier: null, cache_creation: null },
        },
        error: { any: "shape" },
      },
    ],
    ["system without a subtype", { ...node, type: "system", content: "x" }],
    ["system of a new subtype", { ...node, type: "system", subtype: "brand_new", content: "x" }],
    [
      "compact boundary",
      {
        ...node,
        type: "system",
        subtype: "compact_boundary",
        logicalParentUuid: uuid,
        compactMetadata: {
          trigger: "auto",
          preTokens: 1,
          preservedSegment: { headUuid: uuid, anchorUuid: uuid, tailUuid: uuid },
          preservedMessages: { anchorUuid: uuid, uuids: [uuid], allUuids: [uuid] },
        },
      },
    ],
    [
      "microcompact boundary",
      {
        ...node,
        type: "system",
        subtype: "microcompact_boundary",
        microcompactMetadata: { compactedToolIds: ["toolu_1"] },
      },
    ],
    [
      "stop hook summary",
      { ...node, type: "system", subtype: "stop_hook_summary", hookCount: 1, hookInfos: [{ command: "x" }] },
    ],
    ["turn duration", { ...node, type: "system", subtype: "turn_duration", durationMs: 5 }],
    ["api error", { ...node, type: "system", subtype: "api_error", error: {}, retryInMs: 5.5 }],
    ["hook progress", { ...node, type: "progress", data: { type: "hook_progress", hookName: "h" } }],
    ["new progress", { ...node, type: "progress", data: { type: "query_update", query: "q" } }],
    [
      "queued command",
      {
        ...node,
        type: "attachment",
        attachment: { type: "queued_command", prompt: "go", commandMode: "prompt" },
      },
    ],
    ["new attachment", { ...node, type: "attachment", attachment: { type: "brand_new", deep: { a: [] } } }],
    [
      "file-history snapshot",
      {
        type: "file-history-snapshot",
        messageId: uuid,
        snapshot: {
          messageId: uuid,
          trackedFileBackups: {
            "a.ts": { backupFileName: null, version: 1, backupTime: "t" },
            "b.ts": { backupFileName: "0123456789abcdef@v1", version: 1, backupTime: "t" },
          },
          timestamp: "t",
        },
        isSnapshotUpdate: false,
      },
    ],
    [
      "file-history delta",
      {
        type: "file-history-delta",
        trackingPath: "a.ts",
        backup: { backupFileName: "h@v2", realParentDir: "/w" },
      },
    ],
    ["enqueue", { type: "queue-operation", operation: "enqueue", content: "x", sessionId: "s" }],
    ["dequeue", { type: "queue-operation", operation: "dequeue", sessionId: "s" }],
    ["summary", { type: "summary", summary: "A title", leafUuid: uuid }],
    ["custom title", { type: "custom-title", customTitle: "T", sessionId: "s" }],
    ["ai title", { type: "ai-title", aiTitle: "T", sessionId: "s" }],
    ["agent name", { type: "agent-name", agentName: "T", sessionId: "s" }],
    ["agent setting", { type: "agent-setting", agentSetting: "Explore", sessionId: "s" }],
    ["cleared tag", { type: "tag", tag: "", sessionId: "s" }],
    ["mode", { type: "mode", mode: "normal", sessionId: "s" }],
    ["permission mode", { type: "permission-mode", permissionMode: "plan", sessionId: "s" }],
    ["last prompt without text", { type: "last-prompt", leafUuid: uuid, sessionId: "s" }],
    ["pr link", { type: "pr-link", prNumber: 1, prUrl: "u", prRepository: "o/r", timestamp: "t" }],
    ["worktree state", { type: "worktree-state", worktreeSession: { worktreePath: "/w" } }],
    ["left worktree", { type: "worktree-state", worktreeSession: null }],
    ["relocated", { type: "relocated", relocatedCwd: "/w", sessionId: "s" }],
    ["content replacement", { type: "content-replacement", replacements: [{ kind: "tool-result" }] }],
    ["bridge session", { type: "bridge-session", bridgeSessionId: "b", sessionId: "s" }],
    ["isolation latch", { type: "isolation-latch", sessionId: "s" }],
    ["unknown type", { type: "artifact-ledger", deep: { keys: [1, null] } }],
    ["type named like an object's own member", { type: "constructor" }],
  ])("accepts %s and hands back the very same object", (_name, line) => {
    const withExtra: Record<string, unknown> = { zz_new_key: { kept: [true] }, ...line };
    const before = JSON.stringify(withExtra);
    const parsed = parseEntry(withExtra);
    expect(parsed).toEqual({ ok: true, entry: withExtra });
    expect(parsed.ok && parsed.entry).toBe(withExtra);
    expect(JSON.stringify(withExtra)).toBe(before);
  });

  test.each<[unknown, string]>([
    [null, "entry: "],
    [[], "entry: "],
    ["{}", "entry: "],
    [{}, "type: "],
    [{ type: 5 }, "type: "],
    [{ type: "user", message: { content: "x" } }, "uuid: "],
    [{ type: "user", uuid: "", message: { content: "x" } }, "uuid: "],
    [{ type: "user", uuid }, "message: "],
    [{ type: "user", uuid, message: { content: 5 } }, "message.content: "],
    [{ type: "user", uuid, parentUuid: 5, message: { content: "x" } }, "parentUuid: "],
    [{ type: "user", uuid, message: { content: [{ type: "text" }] } }, "message.content.0.text: "],
    [
      { type: "assistant", uuid, message: { content: [], usage: { output_tokens: "9" } } },
      "message.usage.output_tokens: ",
    ],
    [
      { type: "system", uuid, subtype: "compact_boundary", compactMetadata: { preservedMessages: [] } },
      "compactMetadata.preservedMessages: ",
    ],
    [{ type: "progress", uuid }, "data: "],
    [{ type: "attachment", uuid, attachment: { type: "queued_command" } }, "attachment.prompt: "],
    [{ type: "file-history-snapshot", messageId: uuid }, "snapshot: "],
    [{ type: "custom-title", sessionId: "s" }, "customTitle: "],
    [{ type: "queue-operation" }, "operation: "],
  ])("refuses %j and says where", (value, where) => {
    const parsed = parseEntry(value);
    expect({ ok: parsed.ok, where: parsed.ok ? "" : parsed.reason.slice(0, where.length) }).toEqual({
      ok: false,
      where,
    });
  });

  test("accepts every JSON line of the corpus", (context) => {
    const corpusDir = requireSharedCorpus(context);
    const refused: string[] = [];
    const unknownTypes = new Set<string>();
    let lineCount = 0;
    for (const line of corpusLines(corpusDir)) {
      lineCount += 1;
      const parsed = parseEntry(line);
      if (!parsed.ok) refused.push(parsed.reason);
      else if (!observedTypes.has(parsed.entry.type)) unknownTypes.add(parsed.entry.type);
    }
    expect(lineCount).toBeGreaterThan(10_000);
    expect({ refused, unknownTypes }).toEqual({ refused: [], unknownTypes: new Set() });
  });
});

const observedTypes: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "progress",
  "attachment",
  "file-history-snapshot",
  "file-history-delta",
  "queue-operation",
  "summary",
  "custom-title",
  "ai-title",
  "agent-name",
  "mode",
  "permission-mode",
  "last-prompt",
  "pr-link",
]);

/** Every line that is JSON; one line of the corpus is torn on purpose. */
function* corpusLines(corpusDir: string): Generator {
  for (const file of readdirSync(corpusDir, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".jsonl")) continue;
    for (const line of readFileSync(join(corpusDir, file), "utf8").split("\n")) {
      const value = parseJson(line);
      if (value !== undefined) yield value;
    }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
