import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { testHome, TranscriptBuilder, type TestHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";
import { connectMcp } from "./mcp-client.ts";

describe("an agent that a client ran", () => {
  let home: TestHome;
  let nested = "";
  beforeEach(() => {
    home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    session.prompt("Look");
    session.runAgent("Find every caller", (agent) => {
      agent.callTools({ name: "Grep", input: { pattern: "parse" }, result: "a.ts" });
      agent.reply("Only a.ts calls it.");
    });
    const { path: file, sessionId } = session.write(home.configDir);
    nested = session.agents[0]!.agentId!;
    // In the older, flat layout; its session has no file any more.
    const flat = new TranscriptBuilder({ cwd: home.cwd, seed: "flat", agentId: "def45678" });
    flat.prompt("Count the files");
    flat.reply("There are 12 files.");
    fs.writeFileSync(path.join(path.dirname(file), "agent-def45678.jsonl"), flat.jsonl());
    // Of this one only the result is left.
    const gone = new TranscriptBuilder({
      cwd: home.cwd,
      seed: "gone",
      sessionId: `${sessionId.slice(0, -1)}x`,
    });
    gone.prompt("Look again");
    gone.callTools({
      name: "Agent",
      input: { prompt: "Ask" },
      result: "done",
      toolUseResult: {
        status: "completed",
        agentId: "a0011223344556677",
        prompt: "Ask",
        content: [{ type: "text", text: "It is said." }],
        totalTokens: 7,
      },
    });
    gone.write(home.configDir);
  });

  test("is read by its id in either layout, and of one that is gone its result", async () => {
    for (const [id, answer] of [
      [nested, "Only a.ts calls it."],
      [nested.slice(0, 9), "Only a.ts calls it."],
      ["def45678", "There are 12 files."],
      ["a0011223344556677", "It is said."],
    ] as const) {
      expect(await run(["output", id], { home })).toMatchObject({ code: 0, stdout: `${answer}\n` });
      const { json } = await runJson(["output", id], { home });
      expect(json).toMatchObject({
        retrieval_status: "success",
        status: "completed",
        content: [{ type: "text", text: answer }],
      });
      expect((await run(["logs", id], { home })).stdout).toContain(answer);
      expect((await run(["inspect", id], { home })).stdout).toMatch(/^run by +the client$/m);
      expect((await runJson(["inspect", id], { home })).json).toMatchObject({ kind: "client_agent" });
    }
    expect((await run(["show", "def45678"], { home })).stdout).toContain("There are 12 files.");
    expect((await runJson(["output", nested], { home })).json).toMatchObject({
      agentId: nested,
      totalToolUseCount: 1,
    });
  });

  test("is read by the tools of the MCP server, and nobody's id is still nobody's", async () => {
    await using client = await connectMcp(home);
    const answer = await client.call("output", { id: "def45678" });
    expect(answer).toMatchObject({ content: [{ type: "text", text: "There are 12 files." }] });
    expect(await run(["output", "a9999999999999999"], { home })).toMatchObject({ code: 3 });
  });

  test("is listed when its session has no transcript any more", async () => {
    const { stdout, stderr } = await run(["sessions"], { home });
    expect(stdout).toContain("Look again");
    expect(stderr).toContain(
      "1 agent of sessions whose transcripts are gone (def45678): holdfast show def45678\n",
    );
    expect((await runJson(["sessions"], { home })).json).toMatchObject({
      strayAgents: [{ agentId: "def45678" }],
    });
  });
});
