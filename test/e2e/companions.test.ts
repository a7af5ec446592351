import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openRuntime, type Runtime, type SessionRef } from "../../src/index.ts";
import { testHome, TranscriptBuilder, type TestHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

describe("what a session left beside its transcript", () => {
  let home: TestHome;
  let session: SessionRef;
  let runtime: Runtime;
  beforeEach(() => {
    home = testHome();
    const transcript = new TranscriptBuilder({ cwd: home.cwd });
    transcript.prompt("Plan it", { slug: "quiet-blue-river" });
    transcript.reply("Planned.");
    session = transcript.write(home.configDir);
    runtime = openRuntime(home);
    const settings = path.join(home.cwd, ".claude", "settings.json");
    fs.mkdirSync(path.dirname(settings));
    fs.writeFileSync(settings, JSON.stringify({ plansDirectory: "./plans", cleanupPeriodDays: 7 }));
    fs.mkdirSync(path.join(home.cwd, "plans"));
    fs.writeFileSync(path.join(home.cwd, "plans/quiet-blue-river.md"), "# Plan\n");
    const env = path.join(home.configDir, "session-env", session.sessionId);
    fs.mkdirSync(env, { recursive: true });
    fs.writeFileSync(path.join(env, "hook-1.sh"), "export A=1\n");
  });

  test("is listed and read by companions, a large output by its range", async () => {
    const { path: file } = await runtime.sessions.keepLargeOutput(session, {
      tool: "Bash",
      output: { lines: ["0123456789"] },
    });
    const name = path.basename(file);
    const { json } = await runJson(["companions", session.sessionId], { home });
    expect(json).toMatchObject({
      companions: [
        { kind: "plan", name: "quiet-blue-river.md", bytes: 7 },
        { kind: "environment", name: "hook-1.sh", bytes: 11 },
        { kind: "mcp-output", name, path: file },
      ],
    });
    const { stdout } = await run(["companions", session.sessionId], { home });
    expect(stdout.split("\n").map((line) => line.split(/\s+/)[0])).toEqual([
      "KIND",
      "plan",
      "environment",
      "mcp-output",
      "",
    ]);
    const read = async (...words: string[]): Promise<string> =>
      (await run(["companions", session.sessionId, ...words], { home })).stdout;
    expect(await read("quiet-blue-river.md")).toBe("# Plan\n");
    expect(await read("hook-1.sh", "--offset", "7", "--bytes", "3")).toBe("A=1");
    const whole = fs.readFileSync(file, "utf8");
    expect(await read(name)).toBe(whole);
    const at = whole.indexOf("456");
    expect(await read(name, "--offset", String(at), "--bytes", "3")).toBe("456");
    expect(
      (await runJson(["companions", session.sessionId, name, "--bytes", "2"], { home })).json,
    ).toMatchObject({ kind: "mcp-output", offset: 0, text: whole.slice(0, 2) });
    expect(await run(["companions", session.sessionId, "../x"], { home })).toMatchObject({ code: 3 });
  });

  test("is on the runtime: plans of the project's folder, environment, settings, typed prompts", async () => {
    const { sessions } = runtime;
    const read = async (kind: "plan" | "environment", name: string): Promise<string> =>
      (await sessions.readCompanion(session, { kind, name })).bytes.toString("utf8");
    expect(await read("plan", "quiet-blue-river.md")).toBe("# Plan\n");
    expect(await read("environment", "hook-1.sh")).toBe("export A=1\n");
    await expect(read("plan", "hook-1.sh")).rejects.toMatchObject({ code: "companion_not_found" });
    expect(await sessions.clientSettings({ cwd: home.cwd })).toMatchObject({ cleanupPeriodDays: 7 });
    expect(await sessions.clientSettings()).toMatchObject({ cleanupPeriodDays: 30 });
    fs.writeFileSync(
      path.join(home.configDir, "history.jsonl"),
      [home.cwd, "/elsewhere"]
        .map((project) => `${JSON.stringify({ display: `in ${project}`, project })}\n`)
        .join(""),
    );
    expect((await sessions.prompts()).prompts).toHaveLength(2);
    expect((await sessions.prompts({ cwd: "/elsewhere" })).prompts).toMatchObject([
      { display: "in /elsewhere" },
    ]);
  });

  test("has the to-do list that a program saves, of the session and of an agent of it", async () => {
    const { sessions } = runtime;
    await sessions.saveTodos(session, [{ subject: "Look", status: "completed" }]);
    const file = await sessions.saveTodos(session, [{ subject: "Count", status: "pending" }], {
      agentId: "def456",
    });
    expect(path.relative(home.configDir, file)).toBe(`todos/${session.sessionId}-agent-def456.json`);
    const { json } = await runJson(["todos", session.sessionId], { home });
    expect(json.lists).toMatchObject([
      { agentId: session.sessionId, items: [{ subject: "Look", status: "completed" }] },
      { agentId: "def456", items: [{ subject: "Count", status: "pending" }] },
    ]);
  });

  test("is nothing where there is nothing", async () => {
    const other = new TranscriptBuilder({ cwd: home.cwd, seed: "other" });
    other.prompt("Hello");
    const { sessionId } = other.write(home.configDir);
    expect(await run(["companions", sessionId], { home })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("no plan, no environment and no large output") as string,
    });
  });
});
