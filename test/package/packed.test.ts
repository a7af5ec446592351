import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { installPacked } from "../../scripts/install-packed.ts";
import { packInto } from "../../scripts/pack.ts";
import { startMessagesServer, tempDir, waitFor } from "../support/index.ts";
import { floorNode } from "./floor-node.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
// A build and a compiler keep a core busy for ten seconds, and a loaded machine for much longer.
const BUSY_MS = 180_000;
let tarball: string;

// Built once for all tests of this file; no other one builds.
beforeAll(() => {
  execFileSync(process.execPath, [path.join(root, "scripts/build.mjs")], { cwd: root });
  ({ tarball } = packInto(tempDir()));
}, BUSY_MS);

/** A folder of a user who has installed the package, with a home of its own. */
interface Installed {
  dir: string;
  env: Record<string, string | undefined>;
  bin: string;
  /** Runs the command on the given Node and returns what it prints. */
  holdfast: (...args: string[]) => string;
  /** Runs a file that lies in the folder. */
  run: (file: string) => string;
}

function install(node: string, options?: { extra: string[] }): Installed {
  const dir = tempDir();
  installPacked(tarball, dir, options);
  const env = {
    PATH: process.env["PATH"],
    HOME: dir,
    HOLDFAST_HOME: path.join(dir, "home"),
    CLAUDE_CONFIG_DIR: path.join(dir, ".claude"),
  };
  const bin = path.join(dir, "node_modules/holdfast/bin/holdfast.js");
  const run = (...args: string[]): string =>
    execFileSync(node, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: dir,
      env,
      encoding: "utf8",
    });
  return { dir, env, bin, holdfast: (...args) => run(bin, ...args), run };
}

describe.each([
  ["the Node of the tests", process.execPath],
  ["the floor", floorNode],
])("the packed package on %s", (_, node) => {
  test("runs the command, a task with its supervisor, the hook and the library", async () => {
    const { dir, env, bin, holdfast, run } = install(node);
    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(holdfast("--version")).toBe(`${version}\n`);

    const id = holdfast("run", "echo from the package").trim();
    holdfast("wait", id);
    expect(holdfast("output", id)).toBe("from the package\n");
    const onTerminal = holdfast("run", "--wait", "--tty", "test -t 1 && echo a terminal").trim();
    expect(holdfast("output", onTerminal)).toBe("a terminal\r\n");

    // Whoever waits for a task is told of its ending; the hook tells of one that nobody waited for.
    const unread = holdfast("run", "true").trim();
    await waitFor(() => {
      const { tasks } = JSON.parse(holdfast("ps", "--all", "--json")) as {
        tasks: { id: string; status: string }[];
      };
      return tasks.some(({ id: listed, status }) => listed === unread && status === "completed");
    });
    const event = { session_id: "s-1", cwd: dir, hook_event_name: "SessionStart", source: "startup" };
    const told = execFileSync(node, [bin, "hook"], { env, input: JSON.stringify(event), encoding: "utf8" });
    expect(told).toContain(`command ${unread} `);
    expect(holdfast("plugin", "install", "--print")).toContain("dist/hook.cjs");

    const program = `
      import { openRuntime } from "holdfast";
      import { parseTaskId } from "holdfast/format";
      const runtime = openRuntime({ home: process.env.HOLDFAST_HOME, configDir: process.env.CLAUDE_CONFIG_DIR });
      const writer = await runtime.sessions.openWriter({ cwd: process.cwd() });
      await writer.append({ type: "user", message: { role: "user", content: "hello" } });
      await writer.close();
      const [session] = await runtime.sessions.list();
      const tasks = await runtime.tasks.list({ all: true });
      console.log(JSON.stringify([session.firstPrompt, tasks.map(({ record }) => parseTaskId(record.id).kind)]));
      await runtime.close();`;
    fs.writeFileSync(path.join(dir, "program.mjs"), program);
    expect(JSON.parse(run("program.mjs"))).toEqual(["hello", ["bash", "bash", "bash"]]);

    // README's own sample sees the same as the command.
    const [sample] = /(?<=```ts\n).*?openRuntime.*?(?=```)/s.exec(readme)!;
    fs.writeFileSync(path.join(dir, "sample.mts"), sample.replace("npm test", "echo tested"));
    const [output, ...listed] = run("sample.mts").trimEnd().split("\n");
    const { tasks } = JSON.parse(holdfast("ps", "--all", "--json")) as {
      tasks: { id: string; status: string }[];
    };
    expect(tasks).toHaveLength(4);
    expect(output).toBe("tested");
    expect(listed.slice(0, -1).sort()).toEqual(tasks.map((task) => `${task.id} ${task.status}`).sort());
    expect(listed.at(-1)).toMatch(/^[0-9a-f-]{36} hello$/);
  });

  test("has every door: doctor, MCP, each export of the manifest", async () => {
    const { dir, env, bin, holdfast, run } = install(node);
    const { findings } = JSON.parse(holdfast("doctor", "--json")) as { findings: unknown[] };
    expect(findings).not.toEqual([]);

    const manifest = path.join(dir, "node_modules/holdfast/package.json");
    const { exports } = JSON.parse(fs.readFileSync(manifest, "utf8")) as { exports: object };
    const names = Object.keys(exports).filter((name) => !name.endsWith(".json"));
    const imports = names.map((name) => `await import("${path.posix.join("holdfast", name)}")`).join(",");
    fs.writeFileSync(
      path.join(dir, "all.mjs"),
      `console.log([${imports}].filter((all) => Object.keys(all).length > 0).length)`,
    );
    expect(Number(run("all.mjs"))).toBe(names.length);

    const server = spawn(node, [bin, "mcp"], { cwd: dir, env, stdio: ["pipe", "pipe", "inherit"] });
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { name: "holdfast" } } });
    server.stdin.end();
    expect(await once(server, "close")).toEqual([0, null]);
  });

  test("loads every file that is loaded on demand, with what is bundled into it", () => {
    const { dir, run } = install(node);
    const dist = path.join(dir, "node_modules/holdfast/dist");
    // The name of such a file ends in a hash; a program's does not, whatever its length.
    const chunks = fs
      .readdirSync(dist)
      .filter((name) => /-[\w-]{8}\.js$/.test(name) && name !== "fleet-follower.js");
    expect(chunks.length).toBeGreaterThan(50);
    const imports = chunks.map((name) => `await import("./node_modules/holdfast/dist/${name}");\n`);
    fs.writeFileSync(path.join(dir, "chunks.mjs"), imports.join(""));
    expect(run("chunks.mjs")).toBe("");
  });
});

test("the packed package runs an agent on the floor", async () => {
  const server = await startMessagesServer("It says kelp.");
  try {
    const { dir, env, bin } = install(floorNode);
    const options = {
      cwd: dir,
      env: { ...env, ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url },
    };
    const holdfast = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(floorNode, [bin, ...args], options)).stdout;
    const id = (await holdfast("agent", "--agent", "anthropic", "What does it say?")).trim();
    await holdfast("wait", id);
    expect(await holdfast("output", id)).toContain("It says kelp.");
  } finally {
    await server.close();
  }
});

test(
  "the packed examples find what they say on the floor",
  () => {
    const { dir, run } = install(floorNode, { extra: ["ai"] });
    const examples = path.join(dir, "examples");
    // Node strips no types below node_modules.
    fs.cpSync(path.join(dir, "node_modules/holdfast/examples"), examples, { recursive: true });
    const names = fs.readdirSync(examples).filter((name) => /^\d\d-.*\.ts$/.test(name));
    expect(names).toHaveLength(8);
    for (const name of names) {
      expect(fs.readFileSync(path.join(examples, name), "utf8")).toMatch(/ from "holdfast";$/m);
      expect(run(path.join(examples, name))).not.toBe("");
    }
  },
  BUSY_MS,
);

test("the packed package refuses a terminal in one sentence where the optional package is missing", () => {
  const { dir, env, bin, holdfast } = install(process.execPath);
  fs.rmSync(path.join(dir, "node_modules/@lydell"), { recursive: true });
  const refused = spawnSync(process.execPath, [bin, "run", "--tty", "true"], {
    cwd: dir,
    env,
    encoding: "utf8",
  });
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^holdfast: .*a terminal needs the package @lydell\/node-pty, .*\n$/) as string,
  ]);
  expect(JSON.parse(holdfast("ps", "--all", "--json"))).toMatchObject({ tasks: [] });
});

test.each(["typescript", "typescript-5.9"])(
  "the packed declarations compile in an embedder's strict project with %s",
  (compiler) => {
    const dir = tempDir();
    fs.cpSync(path.join(root, "test/package/embedder"), dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "package.json"), '{ "type": "module" }');
    installPacked(tarball, dir, { extra: ["@types/node"] });
    const tsc = path.join(root, "node_modules", compiler, "bin/tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", dir], { cwd: dir, encoding: "utf8" });
    expect([done.stdout, done.status]).toEqual(["", 0]);
  },
  BUSY_MS,
);
