import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../support/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

// What a user installs: the built package, unpacked beside the dependencies, without the sources.
function installPacked(): string {
  const dir = tempDir();
  const run = (command: string, args: string[], cwd: string): string =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run(process.execPath, [path.join(root, "scripts/build.mjs")], root);
  const packed = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], root);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  run("tar", ["xzf", filename], dir);
  const modules = path.join(dir, "node_modules");
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(path.join(root, "node_modules"))) {
    if (name !== "holdfast") fs.symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  }
  fs.renameSync(path.join(dir, "package"), path.join(modules, "holdfast"));
  return dir;
}

test("the packed package runs the command, a task with its supervisor, and the library", () => {
  const dir = installPacked();
  const env = {
    ...process.env,
    HOLDFAST_HOME: path.join(dir, "home"),
    CLAUDE_CONFIG_DIR: path.join(dir, "config"),
  };
  const bin = path.join(dir, "node_modules/holdfast/bin/holdfast.js");
  const holdfast = (...args: string[]): string =>
    execFileSync(process.execPath, [bin, ...args], { cwd: dir, env, encoding: "utf8" });
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  expect(holdfast("--version")).toBe(`${version}\n`);

  const id = holdfast("run", "--wait", "echo from the package").trim();
  expect(holdfast("output", id)).toBe("from the package\n");
  const onTerminal = holdfast("run", "--wait", "--tty", "test -t 1 && echo a terminal").trim();
  expect(holdfast("output", onTerminal)).toBe("a terminal\r\n");

  const unread = holdfast("run", "--wait", "true").trim();
  const event = { session_id: "s-1", cwd: dir, hook_event_name: "SessionStart", source: "startup" };
  const told = execFileSync(process.execPath, [bin, "hook"], {
    env,
    input: JSON.stringify(event),
    encoding: "utf8",
  });
  expect(told).toContain(`command ${unread} `);
  expect(holdfast("plugin", "install", "--print")).toContain("dist/hook.cjs");

  const program = `
    import { openRuntime } from "holdfast";
    import { parseTaskId } from "holdfast/format";
    await using runtime = openRuntime({ home: process.env.HOLDFAST_HOME, configDir: process.env.CLAUDE_CONFIG_DIR });
    const writer = await runtime.sessions.openWriter({ cwd: process.cwd() });
    await writer.append({ type: "user", message: { role: "user", content: "hello" } });
    await writer.close();
    const [session] = await runtime.sessions.list();
    const tasks = await runtime.tasks.list({ all: true });
    console.log(JSON.stringify([session.firstPrompt, tasks.map(({ record }) => parseTaskId(record.id).kind)]));`;
  fs.writeFileSync(path.join(dir, "program.mjs"), program);
  const printed = execFileSync(process.execPath, ["program.mjs"], { cwd: dir, env, encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(["hello", ["bash", "bash", "bash"]]);
});
