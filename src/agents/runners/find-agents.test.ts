import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findAgent, findAgents, isAgentName } from "./find-agents.ts";

function pathWith(...programs: string[]): string {
  const dir = tempDir();
  for (const program of programs) fs.writeFileSync(path.join(dir, program), "", { mode: 0o755 });
  return dir;
}

test("findAgents() finds what is on the PATH, in a fixed order, with how it is started", () => {
  const first = pathWith("opencode", "codex");
  const second = pathWith("claude", "gemini", "opencode");
  const file = (dir: string, name: string): string => path.join(dir, name);
  expect(findAgents({ path: `${first}:${second}` })).toEqual([
    {
      name: "claude",
      program: file(second, "claude"),
      start: { runner: "stream-json", command: file(second, "claude"), args: [], dialect: "claude" },
    },
    {
      name: "codex",
      program: file(first, "codex"),
      start: { runner: "stream-json", command: file(first, "codex"), args: [], dialect: "codex" },
    },
    {
      name: "gemini",
      program: file(second, "gemini"),
      start: { runner: "acp", command: file(second, "gemini"), args: ["--acp"] },
    },
    {
      name: "opencode",
      program: file(first, "opencode"),
      start: { runner: "acp", command: file(first, "opencode"), args: ["acp"] },
    },
  ]);
});

test("findAgent() prefers codex-acp, which can ask, and claude itself to its adapter", () => {
  const dir = pathWith("codex", "codex-acp", "claude", "claude-agent-acp");
  expect(findAgent("codex", { path: dir })?.program).toBe(path.join(dir, "codex-acp"));
  expect(findAgent("claude", { path: dir })?.program).toBe(path.join(dir, "claude"));
});

test("findAgent() passes over folders, files that cannot run, and parts of the PATH that are not absolute", () => {
  const dir = tempDir();
  fs.mkdirSync(path.join(dir, "gemini"));
  fs.writeFileSync(path.join(dir, "claude"), "", { mode: 0o644 });
  expect(findAgents({ path: `:.:${dir}:${path.join(dir, "none")}` })).toEqual([]);
  expect(findAgents({ path: undefined })).toEqual([]);
});

test("isAgentName() knows names only", () => {
  expect(["claude", "toString", ""].map(isAgentName)).toEqual([true, false, false]);
});
