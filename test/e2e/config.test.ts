import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentSettings } from "../../src/tasks/kinds/agent/agent-settings.ts";
import { holdfast, testHome, type HoldfastRun } from "../support/index.ts";
import { writeScript } from "../support/agent-script.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

function projectFile(cwd: string, config: object): string {
  const file = path.join(cwd, ".holdfast", "config.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(config));
  return file;
}

interface SettingJson {
  key: string;
  value: unknown;
  from: { kind: string; path?: string; name?: string };
}

describe("holdfast config", () => {
  test("writes to the config folder of the platform, and still reads the old place", async () => {
    const home = testHome();
    // As for somebody who chose no home: an empty variable counts as unset.
    const env = { HOLDFAST_HOME: "", XDG_CONFIG_HOME: path.join(home.userHome, "conf") };
    const own = path.join(env.XDG_CONFIG_HOME, "holdfast", "config.json");
    const old = path.join(home.userHome, ".local", "state", "holdfast", "config.json");
    fs.mkdirSync(path.dirname(old), { recursive: true });
    fs.writeFileSync(old, '{"model":"old","keep":true}');
    const config = (...args: string[]): Promise<HoldfastRun> => holdfast(["config", ...args], { home, env });
    expect((await config("path")).stdout).toBe(`${own}\n`);
    expect((await config("get", "model")).stdout).toBe("old\n");
    expect(await config("set", "model", "new")).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(fs.readFileSync(own, "utf8"))).toEqual({ model: "new" });
    const { settings } = JSON.parse((await config("--json")).stdout) as { settings: SettingJson[] };
    expect(settings.filter(({ key }) => ["model", "keep", "permission", "agent"].includes(key))).toEqual([
      { key: "agent", value: null, from: { kind: "default" } },
      { key: "model", value: "new", from: { kind: "file", path: own } },
      { key: "permission", value: "ask", from: { kind: "default" } },
      { key: "keep", value: true, from: { kind: "file", path: old } },
    ]);
    await config("set", "model");
    expect(
      [fs.readFileSync(own, "utf8"), fs.readFileSync(old, "utf8")].map((text) => JSON.parse(text)),
    ).toEqual([{}, { keep: true }]);
  });

  test("shows what a project narrows, and what it may not say", async () => {
    const home = testHome();
    const file = projectFile(home.cwd, { permission: "ask", fleet: { servers: ["nats://theirs"] } });
    const set = await holdfast(["config", "set", "permission", "allow"], { home });
    expect([set.code, set.stderr]).toEqual([
      0,
      `Written to ${path.join(home.home, "config.json")}. Here permission is ask, because of ${file}.\n`,
    ]);
    const listed = await holdfast(["config"], { home });
    expect(listed.stdout).toContain(
      `permission             ask    ${file}  who decides about tools in chat and agent\n`,
    );
    expect(listed.stdout).toMatch(/^fleet\.servers +addresses of the fleet's servers$/m);
    expect(listed.stderr).toBe(`${file}: fleet ignored; a project may only narrow permission and limits.\n`);
    expect((await holdfast(["doctor"], { home })).stdout).toContain(
      "a project has settings that are ignored",
    );
  });

  test.each([
    [
      ["set", "limits.maxTurns", "many"],
      'Cannot set limits.maxTurns to "many": "limits.maxTurns" must be a whole number',
    ],
    [
      ["set", "agent", "emacs"],
      '"agent" must be one of anthropic, claude, codex, gemini, opencode, copilot, qwen, pi',
    ],
    [["get", "colour"], "Argument 'setting' cannot be 'colour'"],
  ])("refuses %j and says why", async (args, why) => {
    const { code, stderr } = await holdfast(["config", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});

describe("settings", () => {
  /** What the record of a task says of its agent and its time. */
  async function recorded(home: TaskHome, id: string): Promise<object> {
    const { recordFile } = await home.json<{ recordFile: string }>("inspect", id);
    const { agent, shell } = JSON.parse(fs.readFileSync(recordFile, "utf8")) as {
      agent: AgentSettings;
      shell: { timeoutMs?: number };
    };
    return { permission: agent.permission, limits: agent.limits, timeoutMs: shell.timeoutMs };
  }

  test("give an agent its permission and limits, less what the project takes away", async () => {
    await using home = taskHome();
    await home.holdfast("config", "set", "permission", "allow");
    await home.holdfast("config", "set", "limits.maxTurns", "9");
    await home.holdfast("config", "set", "limits.timeout", "10m");
    const script = ["--script", writeScript(home, [{ text: "Done." }]).script!];
    const start = async (...args: string[]): Promise<object> => {
      const { stdout } = await home.holdfast("agent", ...script, "--wait", "--json", ...args, "Look");
      return recorded(home, (JSON.parse(stdout) as { id: string }).id);
    };
    expect(await start()).toMatchObject({ permission: "allow", limits: { maxTurns: 9 }, timeoutMs: 600_000 });
    expect(await start("--max-turns", "20")).toMatchObject({ limits: { maxTurns: 20 } });
    const file = projectFile(home.cwd, { permission: "ask", limits: { maxTurns: 4 } });
    expect(await start()).toMatchObject({ permission: "ask", limits: { maxTurns: 4 } });
    const refused = await home.holdfast("agent", ...script, "--permission", "allow", "Look");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `holdfast: Cannot use permission allow: "${file}" allows no more than ask\n`,
    ]);
  });

  test("name the agent that is asked where none is named, and only for that one a model", async () => {
    await using home = taskHome({ PATH: "/nowhere" });
    await home.holdfast("config", "set", "agent", "gemini");
    const { code, stderr } = await home.holdfast("agent", "Look");
    expect([code, stderr]).toEqual([4, expect.stringContaining('Cannot find agent "gemini"')]);
    expect((await home.holdfast("agent", "--agent", "codex", "Look")).stderr).toContain('agent "codex"');
  });

  test("give an agent the prices that its cost is counted by", async () => {
    await using home = taskHome();
    await home.holdfast("config", "set", "prices", '{"mine":{"input":1000000,"output":1000000}}');
    const played = {
      steps: [{ text: "Done." }],
      model: "mine",
      usage: { input_tokens: 2, output_tokens: 1 },
    };
    const script = ["--script", writeScript(home, played).script!];
    const { stdout } = await home.holdfast("agent", ...script, "--wait", "--json", "Look");
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await home.json("inspect", id)).toMatchObject({ progress: { costUsd: 3 } });
  });
});
