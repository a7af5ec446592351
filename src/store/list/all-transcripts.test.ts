import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { listAllTranscripts, transcriptAt } from "./all-transcripts.ts";

function write(configDir: string, ...names: string[]): void {
  for (const name of names) {
    const file = path.join(configDir, "projects", name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "{}\n");
  }
}

test("listAllTranscripts() finds sessions and sub-agents in every layout, and nothing else", () => {
  const configDir = tempDir();
  write(
    configDir,
    "p/one.jsonl",
    "p/agent-flat.jsonl",
    "p/one/subagents/agent-nested.jsonl",
    "p/one/subagents/agent-nested.meta.json",
    "p/one/subagents/workflows/w/agent-worker.jsonl",
    "p/one/subagents/workflows/w/journal.jsonl",
    "p/one/tool-results/agent-no.jsonl",
    "p/.two.jsonl",
    "q/three.jsonl",
    "stray",
  );
  const found = listAllTranscripts(configDir, { wants: (key) => key !== "q" });
  expect(
    found.map(({ path: file, sessionId, agentId, bytes }) => [
      path.basename(file),
      sessionId,
      agentId,
      bytes,
    ]),
  ).toEqual([
    ["one.jsonl", "one", undefined, 3],
    ["agent-flat.jsonl", undefined, "flat", 3],
    ["agent-nested.jsonl", "one", "nested", 3],
    ["agent-worker.jsonl", "one", "worker", 3],
  ]);
  expect(listAllTranscripts(path.join(configDir, "none"))).toEqual([]);
});

test("transcriptAt() says of one path what the list says of it, in every layout", () => {
  const configDir = tempDir();
  write(
    configDir,
    "p/one.jsonl",
    "p/agent-flat.jsonl",
    "p/one/subagents/agent-nested.jsonl",
    "p/one/subagents/workflows/w/agent-worker.jsonl",
  );
  const found = listAllTranscripts(configDir);
  expect(found.map((each) => transcriptAt(configDir, each.path))).toEqual(found);
  expect(found).toHaveLength(4);
  fs.rmSync(found[0]!.path);
  expect(transcriptAt(configDir, found[0]!.path)).toBeUndefined();
});

test("listAllTranscripts() names each folder that it may not read, once", () => {
  const configDir = tempDir();
  write(
    configDir,
    "p/one.jsonl",
    "p/one/subagents/agent-a.jsonl",
    "p/one/subagents/agent-b.jsonl",
    "q/two.jsonl",
  );
  const projects = path.join(configDir, "projects");
  const { readdirSync, statSync } = fs;
  const refuse = (): never => {
    throw Object.assign(new Error("EACCES"), { code: "EACCES" });
  };
  // The tests may run as root, who may read everything.
  const spies = [
    vi
      .spyOn(fs, "readdirSync")
      .mockImplementation(((dir: string) =>
        dir === `${projects}/q` ? refuse() : readdirSync(dir)) as never),
    vi
      .spyOn(fs, "statSync")
      .mockImplementation(((file: string, options: object) =>
        file.includes("/subagents/") ? refuse() : statSync(file, options)) as never),
  ];
  const told: string[] = [];
  const onUnreadable = (dir: string): unknown => told.push(path.relative(projects, dir));
  try {
    const found = listAllTranscripts(configDir, { onUnreadable });
    expect([found.map(({ sessionId }) => sessionId), told]).toEqual([["one"], ["p/one/subagents", "q"]]);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
