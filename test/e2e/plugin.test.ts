import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hookSettings, type HookSettings } from "../../src/recovery/plugin/hook-settings.ts";
import { testHome, type TestHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readJson = (file: string): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;

interface Fixture {
  home: TestHome;
  settings: string;
  plugin: (...args: string[]) => ReturnType<typeof run>;
}

function withSettings(text?: string): Fixture {
  const home = testHome();
  fs.mkdirSync(home.configDir);
  const settings = path.join(home.configDir, "settings.json");
  if (text !== undefined) fs.writeFileSync(settings, text, { mode: 0o640 });
  return { home, settings, plugin: (...args) => run(["plugin", ...args], { home }) };
}

const theirs = `{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}], "Setup": []}\n}`;

describe("holdfast plugin install", () => {
  test("adds the hooks behind those that are there, with a backup, and uninstall brings the file back to the byte", async () => {
    const { settings, plugin, home } = withSettings(theirs);
    const { code, stderr } = await plugin("install");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^Added the hooks to .*settings\.json[\s\S]*Undo: holdfast plugin uninstall\n$/,
      ),
    });
    const { model, hooks } = readJson(settings) as { model: string; hooks: HookSettings };
    expect(model).toBe("opus");
    expect(hooks["Stop"]).toHaveLength(2);
    expect(hooks["Stop"]![0]).toEqual({ hooks: [{ type: "command", command: "say done" }] });
    const [handler] = hooks["SessionStart"]![0]!.hooks;
    expect(handler).toEqual({
      type: "command",
      command: process.execPath,
      args: [path.join(root, "bin/holdfast.js"), "hook"],
      timeout: 10,
    });
    expect(fs.statSync(settings).mode & 0o777).toBe(0o640);
    const backups = fs.readdirSync(home.configDir).filter((name) => name.includes("before-holdfast"));
    expect(backups.map((name) => fs.readFileSync(path.join(home.configDir, name), "utf8"))).toEqual([theirs]);
    expect((await plugin("install")).stderr).toMatch(/already/);
    expect((await plugin("uninstall")).stderr).toMatch(/^Removed the hooks from /);
    expect(fs.readFileSync(settings, "utf8")).toBe(theirs);
    expect((await plugin("uninstall")).stderr).toBe("Holdfast's hooks are not installed.\n");
  });

  test("uninstall keeps what was changed meanwhile, and takes out only what install put in", async () => {
    const { settings, plugin } = withSettings(theirs);
    await plugin("install", "--wake");
    const now = readJson(settings) as { hooks: HookSettings };
    expect(now.hooks["Stop"]![1]!.hooks[1]).toMatchObject({ asyncRewake: true, timeout: 600 });
    fs.writeFileSync(settings, JSON.stringify({ ...now, theme: "dark" }));
    await plugin("uninstall");
    expect(readJson(settings)).toEqual({ ...(JSON.parse(theirs) as object), theme: "dark" });
  });

  test("makes settings where there are none, and replaces older hooks of ours instead of doubling them", async () => {
    const { settings, plugin } = withSettings();
    await plugin("install", "--wake");
    await plugin("install");
    const { hooks } = readJson(settings) as { hooks: HookSettings };
    const counts = Object.values(hooks).map((groups) => groups.length);
    expect(counts).toEqual([1, 1, 2, 2, 1, 1, 1, 1, 1]);
    expect(hooks["Stop"]![0]!.hooks).toHaveLength(1);
    await plugin("uninstall");
    expect(fs.existsSync(settings)).toBe(false);
  });

  test("writes through a link to the file that people keep elsewhere", async () => {
    const { home, settings, plugin } = withSettings();
    const real = path.join(home.userHome, "dotfiles.json");
    fs.writeFileSync(real, "{}");
    fs.symlinkSync(real, settings);
    await plugin("install");
    expect(fs.lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(Object.keys(readJson(real))).toEqual(["hooks"]);
  });

  test("writes where a link leads whose file is not there yet, and keeps the link", async () => {
    const { home, settings, plugin } = withSettings();
    const real = path.join(home.userHome, "dotfiles", "settings.json");
    fs.symlinkSync(real, settings);
    await plugin("install");
    expect(fs.lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(Object.keys(readJson(real))).toEqual(["hooks"]);
    await plugin("uninstall");
    expect([fs.lstatSync(settings).isSymbolicLink(), fs.existsSync(real)]).toEqual([true, false]);
  });

  test("takes its hooks out though its state is gone or is in another home, and keeps those of others", async () => {
    for (const wake of [[], ["--wake"]]) {
      const { home, settings, plugin } = withSettings(theirs);
      await plugin("install", ...wake);
      fs.rmSync(home.home, { recursive: true });
      const reinstalled = await plugin("install");
      expect(reinstalled.stderr).toMatch(/^Added the hooks/);
      const { hooks } = readJson(settings) as { hooks: HookSettings };
      expect(hooks["Stop"]!.flatMap((group) => group.hooks)).toHaveLength(2);
      const elsewhere = { HOLDFAST_HOME: path.join(home.userHome, "another") };
      const taken = await run(["plugin", "uninstall"], { home, env: elsewhere });
      expect(taken.stderr).toMatch(/^Removed the hooks from /);
      expect(readJson(settings)).toEqual(JSON.parse(theirs));
    }
  });

  test.each(["not json", "[]", '{"hooks": []}'])("changes nothing in settings that are %s", async (text) => {
    const { home, settings } = withSettings(text);
    const { code, json } = await runJson(["plugin", "install"], { home });
    expect({ code, error: json.error.code }).toEqual({ code: 1, error: "settings_invalid" });
    expect([fs.readFileSync(settings, "utf8"), fs.readdirSync(home.configDir)]).toEqual([
      text,
      ["settings.json"],
    ]);
  });

  test("--print and --dry-run change nothing", async () => {
    const { home, plugin } = withSettings();
    const printed = JSON.parse((await plugin("install", "--print")).stdout) as { hooks: HookSettings };
    expect(printed.hooks).toEqual(
      hookSettings(
        printed.hooks["Stop"]![0]!.hooks[0]! && {
          command: process.execPath,
          args: [path.join(root, "bin/holdfast.js"), "hook"],
        },
        { scriptsDir: path.join(root, "plugin/hooks") },
      ),
    );
    expect((await plugin("install", "--dry-run")).stderr).toMatch(/^Would add hooks for SessionStart, /);
    expect(fs.readdirSync(home.configDir)).toEqual([]);
    expect(await plugin("remove")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("install or uninstall"),
    });
  });
});

test("the plugin declares the same hooks, and its versions are the package's", () => {
  expect(readJson(path.join(root, "plugin/hooks/hooks.json"))["hooks"]).toEqual(
    hookSettings({ command: "holdfast", args: ["hook"] }, { scriptsDir: "${CLAUDE_PLUGIN_ROOT}/hooks" }),
  );
  const { version } = readJson(path.join(root, "package.json"));
  expect(readJson(path.join(root, "plugin/.claude-plugin/plugin.json"))["version"]).toBe(version);
});
