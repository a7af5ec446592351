import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findAgent, findAgents, isAgentName, knownByCommand } from "./find-agents.ts";
import { knownAgents } from "./known/index.ts";

function pathWith(...programs: string[]): string {
  const dir = tempDir();
  for (const program of programs) fs.writeFileSync(path.join(dir, program), "", { mode: 0o755 });
  return dir;
}

test("findAgents() finds what is on the PATH, in a fixed order, with how it is started", () => {
  const first = pathWith("opencode", "codex");
  const second = pathWith("claude", "gemini", "opencode");
  const file = (dir: string, name: string): string => path.join(dir, name);
  const found = findAgents({ path: `${first}:${second}` });
  expect(
    found.map(({ name, program, start: { runner, command, args } }) => [
      name,
      program,
      runner,
      command,
      args,
    ]),
  ).toEqual([
    ["claude", file(second, "claude"), "stream-json", file(second, "claude"), []],
    ["codex", file(first, "codex"), "stream-json", file(first, "codex"), []],
    ["gemini", file(second, "gemini"), "acp", file(second, "gemini"), ["--acp"]],
    ["opencode", file(first, "opencode"), "acp", file(first, "opencode"), ["acp"]],
  ]);
});

test("every known agent says what its fence is", () => {
  const starts = knownAgents.flatMap((known) => known.starts);
  expect(starts.map(({ command, fence }) => [command, fence === "none" ? "none" : fence.mode])).toEqual([
    ["claude", undefined],
    ["claude-agent-acp", "default"],
    ["codex-acp", "read-only"],
    ["codex", undefined],
    ["gemini", "default"],
    ["opencode", undefined],
    ["copilot", "https://agentclientprotocol.com/protocol/session-modes#agent"],
    ["qwen", "default"],
    ["pi-acp", "none"],
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

test("knownByCommand() knows an agent by the program of its command line", () => {
  expect(knownByCommand("pi-acp").fence).toBe("none");
  expect(knownByCommand("npx -y /opt/bin/codex-acp --verbose").fence).toMatchObject({ mode: "read-only" });
  expect(knownByCommand("my-agent --model gemini")).toEqual({});
  expect(knownByCommand("claude")).toEqual({});
});
