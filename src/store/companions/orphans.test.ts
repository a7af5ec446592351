import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { listOrphans } from "./orphans.ts";

const GONE = "11111111-1111-4111-8111-111111111111";
const RUNNING = "22222222-2222-4222-8222-222222222222";

function put(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

function companionsOf(configDir: string, sessionId: string): void {
  put(path.join(configDir, `todos/${sessionId}-agent-${sessionId}.json`), "[]");
  put(path.join(configDir, `tasks/${sessionId}/1.json`), "{}");
  put(path.join(configDir, `file-history/${sessionId}/0123456789abcdef@v1`), "12345");
  put(path.join(configDir, `file-history/${sessionId}/0123456789abcdef@v2`), "123456");
  fs.mkdirSync(path.join(configDir, `session-env/${sessionId}`), { recursive: true });
  put(path.join(configDir, `mcp-outputs/${sessionId}/a.json`), "1");
  put(path.join(configDir, `projects/-p/${sessionId}/subagents/agent-a1.jsonl`), "{}\n");
  put(path.join(configDir, `projects/-p/${sessionId}/tool-results/b1.txt`), "abc");
}

describe("listOrphans()", () => {
  it("lists every kind of companion whose session is gone, and no other", () => {
    const configDir = tempDir();
    const { sessionId } = new TranscriptBuilder().write(configDir);
    for (const id of [GONE, RUNNING, sessionId]) companionsOf(configDir, id);
    put(
      path.join(configDir, `sessions/${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: RUNNING }),
    );
    put(path.join(configDir, "tasks/shared-list/1.json"), "{}");
    put(path.join(configDir, "projects/-p/memory/notes.md"), "");
    put(path.join(configDir, "projects/-p/33333333-3333-4333-8333-333333333333"), "a file, not a folder");
    const at = (kind: string, name: string, files: number, bytes: number) => ({
      kind,
      sessionId: GONE,
      path: path.join(configDir, name),
      files,
      bytes,
    });
    expect(listOrphans({ configDir })).toEqual({
      orphans: [
        at("todos", `todos/${GONE}-agent-${GONE}.json`, 1, 2),
        at("task-list", `tasks/${GONE}`, 1, 2),
        at("file-history", `file-history/${GONE}`, 2, 11),
        at("session-env", `session-env/${GONE}`, 0, 0),
        at("mcp-outputs", `mcp-outputs/${GONE}`, 1, 1),
        at("subagents", `projects/-p/${GONE}/subagents`, 1, 3),
        at("tool-results", `projects/-p/${GONE}/tool-results`, 1, 3),
      ],
      problems: [],
    });
  });

  it("is empty in a home without anything", () => {
    expect(listOrphans({ configDir: tempDir() })).toEqual({ orphans: [], problems: [] });
  });
});
