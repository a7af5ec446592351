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
    // Older clients named it only in the text, by six digits.
    gone.callTools({
      name: "Task",
      input: { prompt: "Count", description: "Counting", subagent_type: "Explore" },
      result: "There are three.\nagentId: 0a1b2c (to go on with it)",
    });
    gone.write(home.configDir);
    // Launched by an agent, which is there.
    const launcher = new TranscriptBuilder({ cwd: home.cwd, seed: "launcher", agentId: "a1111111111111111" });
    launcher.prompt("Ask somebody");
    launcher.callTools({
      name: "Agent",
      input: { prompt: "Deeper" },
      result: "deep",
      toolUseResult: { agentId: "a2222222222222222", content: [{ type: "text", text: "Deep down." }] },
    });
    const subagents = path.join(path.dirname(file), sessionId, "subagents");
    fs.writeFileSync(path.join(subagents, "agent-a1111111111111111.jsonl"), launcher.jsonl());
  });

  test("is read by its id in either layout, and of one that is gone its result", async () => {
    for (const [id, answer] of [
      [nested, "Only a.ts calls it."],
      [nested.slice(0, 9), "Only a.ts calls it."],
      ["def45678", "There are 12 files."],
      ["a0011223344556677", "It is said."],
      ["0a1b2c", "There are three."],
      ["a2222222222222222", "Deep down."],
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
    expect((await runJson(["inspect", "0a1b2c"], { home })).json).toMatchObject({
      agentType: "Explore",
      description: "Counting",
      prompt: "Count",
    });
    for (const id of ["def45678", "a0011223344556677"])
      expect(await run(["show", id], { home })).toMatchObject({ code: 0 });
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

  test("is read that only a manifest knows: whole or by its beginning, with its transcript or without", async () => {
    const launched = (id: string, more: object = {}): object => ({
      timestamp: "2026-11-20T08:00:00.000Z",
      agent_id: id,
      subagent_type: "Explore",
      description: "Count callers",
      prompt_preview: "Find every caller of parse",
      output_file: "",
      session_id: "11111111-2222-4333-8444-555555555555",
      cwd: home.cwd,
      source: "hook",
      status: "launched",
      kind: "local_agent",
      fingerprint: "",
      ...more,
    });
    const elsewhere = path.join(home.cwd, "agent-a00000000000000e1.jsonl");
    const kept = new TranscriptBuilder({ cwd: home.cwd, seed: "kept", agentId: "a00000000000000e1" });
    kept.prompt("Elsewhere");
    kept.reply("Kept elsewhere.");
    fs.writeFileSync(elsewhere, kept.jsonl());
    const lines = [
      launched("a00000000000000e1", { transcript: elsewhere }),
      launched("a00000000000000e2"),
      launched("a00000000000000e2", {
        timestamp: "2026-11-20T08:01:00.000Z",
        status: "completed",
        result: "Three callers.",
      }),
      launched("a00000000000000f3"),
    ];
    const dir = path.join(home.home, "manifests");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(
      path.join(dir, "background-2026-11-20.jsonl"),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    for (const [id, answer] of [
      ["a00000000000000e1", "Kept elsewhere."],
      ["a00000000000000e2", "Three callers."],
    ] as const) {
      for (const verb of ["output", "logs", "show"])
        expect((await run([verb, id], { home })).stdout).toContain(answer);
      expect((await runJson(["inspect", id], { home })).json).toMatchObject({ status: "completed" });
    }
    const { stdout } = await run(["inspect", "a00000000000000f"], { home });
    expect(stdout).toMatch(/^status +lost$/m);
    expect(stdout).toContain("Find every caller of parse");
    expect(await run(["output", "a00000000000000e"], { home })).toMatchObject({ code: 3 });
    await using client = await connectMcp(home);
    expect(await client.call("output", { id: "a00000000000000f3" })).toMatchObject({ status: "lost" });
  });

  test("is one agent, however many copies a fork makes of it, and not who was given the same id", async () => {
    const { json } = await runJson(["inspect", nested], { home });
    expect(await run(["fork", json.sessionId], { home })).toMatchObject({ code: 0 });
    expect(await run(["output", nested], { home })).toMatchObject({
      code: 0,
      stdout: "Only a.ts calls it.\n",
    });
    const other = new TranscriptBuilder({ cwd: home.cwd, seed: "another", agentId: nested });
    other.prompt("Something else");
    const [project = ""] = fs.readdirSync(path.join(home.configDir, "projects"));
    const flat = path.join(home.configDir, "projects", project, `agent-${nested}.jsonl`);
    fs.writeFileSync(flat, other.jsonl());
    expect(await run(["output", nested], { home })).toMatchObject({ code: 5 });
  });

  test("is read by the id that a search prints, also when it is in the archive", async () => {
    const idsOf = async (): Promise<string[]> => {
      const found = await Promise.all(["calls", "files"].map((word) => runJson(["search", word], { home })));
      const hits = found.flatMap(
        ({ json }) => (json as unknown as { hits: { agentId: string | null }[] }).hits,
      );
      return [...new Set(hits.flatMap(({ agentId }) => agentId ?? []))].toSorted();
    };
    const ids = [nested, "def45678"].toSorted();
    const isRead = async (id: string): Promise<void> => {
      for (const verb of ["output", "logs", "show", "inspect"])
        expect(await run([verb, id], { home }), `${verb} ${id}`).toMatchObject({ code: 0 });
    };
    expect(await idsOf()).toEqual(ids);
    for (const id of ids) await isRead(id);
    const { json } = await runJson(["inspect", nested], { home });
    expect(await run(["archive", json.sessionId, "--yes"], { home })).toMatchObject({ code: 0 });
    expect(await idsOf()).toEqual(ids);
    await isRead(nested);
    await isRead(nested.slice(0, 9));
    expect(await run(["output", nested], { home })).toMatchObject({ stdout: "Only a.ts calls it.\n" });
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
