import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../test/support/temp-dir.ts";
import { chooseAgent, type AgentChoice } from "./choose-agent.ts";

function choose(choice: AgentChoice, variables: Record<string, string> = {}): unknown {
  try {
    return chooseAgent(choice, { cwd: "/work", variables });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
}

function pathWith(...programs: string[]): string {
  const dir = tempDir();
  for (const program of programs) fs.writeFileSync(path.join(dir, program), "#!/bin/sh\n", { mode: 0o755 });
  return dir;
}

describe("chooseAgent()", () => {
  test("takes what was asked for before what is there", () => {
    const variables = { ANTHROPIC_API_KEY: "key", PATH: pathWith("gemini") };
    expect(choose({ script: "play.json" }, variables)).toEqual({
      name: "scripted",
      script: "/work/play.json",
    });
    expect(choose({ command: "my-agent --acp" }, variables)).toEqual({
      name: "acp",
      command: "my-agent --acp",
    });
    expect(choose({ agent: "gemini" }, variables)).toEqual({ name: "acp", agent: "gemini" });
    expect(choose({}, variables)).toEqual({ name: "anthropic" });
  });

  test("takes the API when there is a key or a token, else the first agent on the PATH", () => {
    const url = { ANTHROPIC_AUTH_TOKEN: "token", ANTHROPIC_BASE_URL: "http://localhost:1" };
    expect(choose({}, url)).toEqual({ name: "anthropic", baseUrl: "http://localhost:1" });
    expect(choose({}, { PATH: pathWith("opencode", "codex") })).toEqual({
      name: "stream-json",
      agent: "codex",
    });
  });

  test("says in one sentence which three ways there are", () => {
    expect(choose({}, { PATH: pathWith() })).toEqual({
      code: "no_agent",
      message:
        "Cannot choose an agent: set ANTHROPIC_API_KEY, or put one of claude, codex, gemini, opencode, copilot, qwen, pi on your PATH, or name any ACP agent with --command",
    });
  });

  test("says what is missing of one that was asked for", () => {
    expect(choose({ agent: "anthropic" })).toMatchObject({ code: "no_agent" });
    expect(choose({ agent: "codex" }, { PATH: pathWith() })).toEqual({
      code: "no_agent",
      message: 'Cannot find agent "codex": none of codex-acp, codex is on your PATH',
    });
    expect(choose({ agent: "clippy" })).toMatchObject({ code: "runner_invalid" });
  });
});
