import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import { hookSettings } from "../../src/recovery/plugin/hook-settings.ts";
import { tempDir } from "../support/index.ts";

const scriptsDir = fileURLToPath(new URL("../../plugin/hooks", import.meta.url));

// What may be a system's sh. The tests of one that is not installed are skipped.
const shells = ["dash", "bash", "zsh", "busybox", "mksh", "yash"];

for (const shell of shells)
  describe.skipIf(whereIs(shell) === undefined)(`the scripts of the hooks, where sh is ${shell}`, () => {
    test("after-command starts nothing for a command that has only run", () => {
      using world = hookWorld(shell);
      for (const stdout of ["x".repeat(30_000), '"quoted" \\ $(touch /tmp/x) `y` %s \u0007 äöü 🙂']) {
        const input = answerOf({ stdout });
        expect(world.after(input)).toEqual(world.isLeftToProgram ? started : nothing);
        expect(world.given()).toBe(world.isLeftToProgram ? input : undefined);
      }
    });

    test("after-command gives the program the input of a launch to the byte", () => {
      using world = hookWorld(shell);
      const input = answerOf({ stdout: 'a\\n%s\\0 "äöü" 🙂 $HOME `x`\t', backgroundTaskId: "b1234abcd" });
      expect(world.after(input)).toEqual(started);
      expect(world.given()).toBe(input);
    });

    test("after-command gives the program what is no answer to a command", () => {
      using world = hookWorld(shell);
      for (const input of ["garbage", "", '{"hook_event_name":17', answerOf({}).slice(0, -2)]) {
        expect(world.after(input)).toEqual(started);
        expect(world.given()).toBe(input);
      }
    });

    test("after-command judges 50 MB, bytes of zero, and input that comes in pieces", async () => {
      using world = hookWorld(shell);
      const large = "y".repeat(50 * 1024 * 1024);
      expect(world.after(answerOf({ stdout: large }))).toEqual(world.isLeftToProgram ? started : nothing);
      world.forget();
      const launched = answerOf({ stdout: large, backgroundTaskId: "b1234abcd" });
      expect(world.after(launched)).toEqual(started);
      expect(world.given()?.length).toBe(launched.length);
      expect(world.after(`\0${answerOf({ backgroundTaskId: "b\0" })}`)).toEqual(started);
      world.forget();
      expect(await world.afterInPieces(answerOf({ stdout: "1".repeat(5000), backgroundTaskId: "b1" }))).toBe(
        0,
      );
      expect(world.given()).toContain('"backgroundTaskId":"b1"');
    });

    test("before-command starts nothing where nothing was ever launched, or where all is over", () => {
      using world = hookWorld(shell);
      expect(world.before()).toEqual(nothing);
      world.launchAt(1000);
      expect(world.before()).toEqual(started);
      world.noteAt(1001);
      expect(world.before()).toEqual(nothing);
      world.launchAt(1002);
      expect(world.before()).toEqual(started);
    });

    test("before-command starts the program while a task of the project runs", () => {
      using world = hookWorld(shell);
      world.launchAt(1000);
      world.noteAt(1001);
      fs.mkdirSync(path.join(world.home, "running"));
      fs.writeFileSync(path.join(world.home, "running", "-other-project.b12345678"), "");
      expect(world.before()).toEqual(nothing);
      fs.writeFileSync(path.join(world.home, "running", `${projectKey(world.project)}.b12345678`), "");
      expect(world.before()).toEqual(started);
    });

    test("before-command starts the program when it cannot tell which project it is", () => {
      using world = hookWorld(shell);
      const odd = [
        "",
        "relative",
        "/caf\u00e9",
        "/a*b",
        "/x'y",
        `/${"long/".repeat(50)}`,
        "/new\nline",
        "/😀",
      ];
      for (const project of odd) expect([project, world.before({ project })]).toEqual([project, started]);
      expect(world.before({ env: { HOME: "", XDG_STATE_HOME: "", HOLDFAST_HOME: "" } })).toEqual(started);
      expect(world.before({ env: { HOLDFAST_HOME: "relative" } })).toEqual(started);
    });

    test("before-command finds the home and the project that the program finds", () => {
      using world = hookWorld(shell);
      for (const project of ["/a", "/a/b.c_d-e", "/a b/c+d@e~f=g,h:i", "/A/Z0/9", `/${"k".repeat(199)}`]) {
        for (const [variable, below] of Object.entries(homes)) {
          const root = path.join(world.dir, variable);
          const dir = path.join(root, below, "projects", projectKey(project));
          const env = { HOME: "/nonexistent", HOLDFAST_HOME: "", XDG_STATE_HOME: "", [variable]: root };
          expect([project, variable, world.before({ project, env })]).toEqual([project, variable, nothing]);
          fs.mkdirSync(dir, { recursive: true });
          expect([project, variable, world.before({ project, env })]).toEqual([project, variable, started]);
        }
      }
    });

    test("end with 0 and silence when script, program or tools are missing or broken", () => {
      using world = hookWorld(shell);
      const input = answerOf({ backgroundTaskId: "b1" });
      expect(world.after(input, { program: "/nonexistent/node" })).toMatchObject(nothing);
      expect(world.before({ project: "", program: "/nonexistent/node" })).toMatchObject(nothing);
      expect(world.after(input, { scriptsDir: "/nonexistent" })).toEqual(started);
      expect(world.given()).toBe(input);
      world.forget();
      expect(world.after(input, { env: { PATH: "/nonexistent" } })).toMatchObject({ status: 0 });
      expect(world.given()).toBe(input);
      const broken = path.join(world.dir, "broken");
      fs.mkdirSync(broken);
      fs.writeFileSync(path.join(broken, "after-command.sh"), "if (((\n");
      expect(world.after(input, { scriptsDir: broken })).toMatchObject({ status: 0 });
      const failing = world.programThat("exit 2");
      expect(world.after(input, { program: failing })).toMatchObject({ status: 0 });
      expect(world.before({ project: "", program: failing })).toMatchObject({ status: 0 });
    });

    test("leave the program the variables that the client gave it", () => {
      using world = hookWorld(shell);
      const names = ["input", "key", "rest", "part", "home", "project", "running"];
      const env = Object.fromEntries(names.map((each) => [each, "mine"]));
      const program = world.programThat('cat >/dev/null; env | grep -c "^input=x"');
      const large = answerOf({ stdout: "x".repeat(300_000), backgroundTaskId: "b1" });
      expect(world.after(large, { program, env })).toMatchObject({ status: 0, stdout: "0\n" });
    });
  });

const homes = { HOLDFAST_HOME: "", XDG_STATE_HOME: "holdfast", HOME: ".local/state/holdfast" };
const nothing = { status: 0, stdout: "" };
const started = { status: 0, stdout: "started\n" };

function answerOf(response: object): string {
  return JSON.stringify({
    session_id: "s-1",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "make" },
    tool_response: { stdout: "", stderr: "", interrupted: false, ...response },
  });
}

interface Ran {
  status: number | null;
  stdout: string;
}

interface Given {
  program?: string;
  scriptsDir?: string;
  env?: Record<string, string>;
}

interface HookScripts extends Disposable {
  dir: string;
  home: string;
  project: string;
  /** This shell leaves every answer to the program. */
  isLeftToProgram: boolean;
  before(given?: Given & { project?: string }): Ran;
  after(input: string, given?: Given): Ran;
  afterInPieces(input: string): Promise<number | null>;
  /** What the program was given last; undefined when it was not started. */
  given(): string | undefined;
  forget(): void;
  programThat(does: string): string;
  launchAt(seconds: number): void;
  noteAt(seconds: number): void;
}

function whereIs(program: string): string | undefined {
  const { stdout } = spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { encoding: "utf8" });
  return stdout.trim() || undefined;
}

function hookWorld(shell: string): HookScripts {
  const dir = tempDir();
  const home = path.join(dir, "home");
  const project = path.join(dir, "my project");
  const givenFile = path.join(dir, "given");
  // Shells go by the name that they are called by.
  const sh = path.join(dir, "sh");
  fs.symlinkSync(whereIs(shell)!, sh);
  const programThat = (does: string): string => {
    const file = path.join(dir, `program-${does.length}`);
    fs.writeFileSync(file, `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    return file;
  };
  const recording = programThat(`/bin/cat > '${givenFile}'; echo started`);
  const argsFor = (event: "PreToolUse" | "PostToolUse", given: Given): string[] => {
    const settings = hookSettings(
      { command: given.program ?? recording, args: ["hook"] },
      { scriptsDir: given.scriptsDir ?? scriptsDir },
    );
    const handler = settings[event]!.find(({ matcher }) => matcher === "Bash")!.hooks[0]!;
    expect(handler.command).toBe("/bin/sh");
    return handler.args;
  };
  const envOf = (extra: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOLDFAST_HOME: home,
    CLAUDE_PROJECT_DIR: project,
    ...extra,
  });
  const run = (event: "PreToolUse" | "PostToolUse", input: string, given: Given): Ran => {
    const { status, stdout } = spawnSync(sh, argsFor(event, given), {
      input,
      env: envOf(given.env),
      encoding: "utf8",
    });
    return { status, stdout };
  };
  const projectDir = path.join(home, "projects", projectKey(project));
  const writeAt = (name: string, seconds: number): void => {
    fs.mkdirSync(projectDir, { recursive: true });
    fs.writeFileSync(path.join(projectDir, name), "");
    fs.utimesSync(path.join(projectDir, name), seconds, seconds);
  };
  return {
    dir,
    home,
    project,
    isLeftToProgram: ["zsh", "mksh", "yash"].includes(shell),
    before: ({ project: CLAUDE_PROJECT_DIR = project, ...given } = {}) =>
      run("PreToolUse", "{}", { ...given, env: { CLAUDE_PROJECT_DIR, ...given.env } }),
    after: (input, given = {}) => run("PostToolUse", input, given),
    async afterInPieces(input) {
      const child = spawn(sh, argsFor("PostToolUse", {}), {
        stdio: ["pipe", "ignore", "inherit"],
        env: envOf(),
      });
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      for (const piece of input.match(/[^]{1,100}/g) ?? [])
        await new Promise((resolve) => child.stdin.write(piece, resolve));
      child.stdin.end();
      return ended;
    },
    given: () => (fs.existsSync(givenFile) ? fs.readFileSync(givenFile, "utf8") : undefined),
    forget: () => fs.rmSync(givenFile, { force: true }),
    programThat,
    launchAt: (seconds) => writeAt("background.jsonl", seconds),
    noteAt: (seconds) => writeAt("background.quiet", seconds),
    [Symbol.dispose]: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}
