import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock, tempDir } from "../../../test/support/index.ts";
import { appendPrompt } from "./append-prompt.ts";
import { promptHistoryPieceBytes } from "./limits.ts";
import { readPromptHistory } from "./prompt-history.ts";

function historyOf(configDir: string, lines: readonly unknown[], end = "\n"): string {
  const file = path.join(configDir, "history.jsonl");
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  fs.writeFileSync(file, text + end);
  return file;
}

describe("readPromptHistory()", () => {
  it("returns the newest first, of one project or all, with every bad line reported", () => {
    const configDir = tempDir();
    const file = historyOf(configDir, [
      { display: "old", pastedContents: {}, timestamp: 1_700_000_000_000, project: "/a" },
      '{"display":"torn',
      {
        display: "other",
        pastedContents: { "1": { id: 1, type: "text", content: "x" } },
        timestamp: "odd",
        project: "/b",
        sessionId: "s",
      },
      "",
      { no: "prompt" },
      { display: "new", timestamp: 1_700_000_001_000, project: "/a", sessionId: "s" },
    ]);
    const text = fs.readFileSync(file, "utf8");
    const rejections = [
      { offset: text.indexOf('{"display":"torn'), length: 16, reason: "torn" },
      { offset: text.indexOf('{"no"'), length: 15, reason: "not-a-prompt" },
    ];
    const old = { display: "old", pastedContents: {}, typedAt: "2023-11-14T22:13:20.000Z", project: "/a" };
    const recent = {
      display: "new",
      pastedContents: {},
      typedAt: "2023-11-14T22:13:21.000Z",
      project: "/a",
      sessionId: "s",
    };
    const other = {
      display: "other",
      pastedContents: { "1": { id: 1, type: "text", content: "x" } },
      project: "/b",
      sessionId: "s",
    };
    expect(readPromptHistory({ configDir })).toEqual({ prompts: [recent, other, old], rejections });
    expect(readPromptHistory({ configDir, project: "/a" })).toEqual({ prompts: [recent, old], rejections });
  });

  it("reads from the end only as far as the limit needs", () => {
    const configDir = tempDir();
    const count = 5000;
    const lines = Array.from({ length: count }, (_, index) => ({
      display: `prompt ${index}`,
      filler: "x".repeat(200),
      project: `/p${index % 2}`,
    }));
    const file = historyOf(configDir, ["not json", ...lines], "");
    expect(fs.statSync(file).size).toBeGreaterThan(3 * promptHistoryPieceBytes);
    const newest = readPromptHistory({ configDir, limit: 3 });
    expect(newest.prompts.map(({ display }) => display)).toEqual([
      "prompt 4999",
      "prompt 4998",
      "prompt 4997",
    ]);
    expect(newest.rejections).toEqual([]);
    const all = readPromptHistory({ configDir, project: "/p0", limit: count });
    expect(all.prompts.map(({ display }) => display)).toEqual(
      Array.from({ length: count / 2 }, (_, index) => `prompt ${count - 2 - 2 * index}`),
    );
    expect(all.rejections).toEqual([{ offset: 0, length: 8, reason: "not-json" }]);
  });

  it("is empty where there is no history", () => {
    expect(readPromptHistory({ configDir: tempDir() })).toEqual({ prompts: [], rejections: [] });
  });
});

describe("appendPrompt()", () => {
  it("adds a line of the client's shape, behind a last line without a newline too", () => {
    const configDir = tempDir();
    const file = historyOf(configDir, [{ display: "before", project: "/a" }], "");
    const options = { configDir, project: "/a", sessionId: "s", clock: fakeClock() };
    appendPrompt("hello", options);
    appendPrompt("again\nthere", options);
    expect(fs.readFileSync(file, "utf8").split("\n").slice(1)).toEqual([
      '{"display":"hello","pastedContents":{},"timestamp":1767323045000,"project":"/a","sessionId":"s"}',
      '{"display":"again\\nthere","pastedContents":{},"timestamp":1767323045000,"project":"/a","sessionId":"s"}',
      "",
    ]);
  });

  it("makes a private file where there is none", () => {
    const configDir = path.join(tempDir(), "new");
    appendPrompt("hello", { configDir, project: "/a", sessionId: "s" });
    expect(fs.statSync(path.join(configDir, "history.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("refuses while the client holds its lock, but not for a lock that was left behind", () => {
    const configDir = tempDir();
    const lock = path.join(configDir, "history.jsonl.lock");
    fs.mkdirSync(lock);
    const append = () => appendPrompt("hello", { configDir, project: "/a", sessionId: "s" });
    expect(append).toThrow(expect.objectContaining({ code: "conflict", retryable: true }));
    fs.utimesSync(lock, new Date(0), new Date(0));
    append();
    expect(fs.existsSync(lock)).toBe(true);
    expect(readPromptHistory({ configDir }).prompts).toHaveLength(1);
  });

  it("does not write through a link", () => {
    const configDir = tempDir();
    const victim = path.join(configDir, "victim");
    fs.writeFileSync(victim, "mine");
    fs.symlinkSync(victim, path.join(configDir, "history.jsonl"));
    expect(() => appendPrompt("x", { configDir, project: "/a", sessionId: "s" })).toThrow("ELOOP");
    expect(fs.readFileSync(victim, "utf8")).toBe("mine");
  });
});
