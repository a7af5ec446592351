import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

interface Answer {
  id: number;
  result: {
    tools?: { name: string; annotations: { readOnlyHint: boolean } }[];
    content: [{ text: string }];
    isError?: boolean;
    serverInfo?: { name: string };
  };
}

/** A client of the server, as an agent's harness would be one. */
interface McpClient extends AsyncDisposable {
  ask(method: string, params?: object): Promise<Answer["result"]>;
  /** Calls a tool and reads its answer. */
  call<T = Record<string, unknown>>(name: string, args?: object): Promise<T>;
}

async function connect(home: TaskHome): Promise<McpClient> {
  const child = spawn(process.execPath, [bin, "mcp"], {
    cwd: home.cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home.userHome,
      HOLDFAST_HOME: home.home,
      CLAUDE_CONFIG_DIR: home.configDir,
      CLAUDE_CODE_SESSION_ID: "s-1",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = new Map<number, Answer["result"]>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as Answer;
    answers.set(id, result);
  });
  let asked = 0;
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask: McpClient["ask"] = async (method, params = {}) => {
    const id = ++asked;
    send({ id, method, params });
    return waitFor(() => answers.get(id));
  };
  const clientInfo = { name: "test", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    ask,
    async call<T>(name: string, args: object = {}) {
      const meta = { "claudecode/toolUseId": "toolu_7" };
      const { content } = await ask("tools/call", { name, arguments: args, _meta: meta });
      return JSON.parse(content[0].text) as T;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect(code).toBe(0);
    },
  };
}

describe("holdfast mcp", () => {
  test("offers its tools and says which of them change something", async () => {
    await using home = taskHome();
    await using client = await connect(home);
    const { tools = [] } = await client.ask("tools/list");
    expect(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])).toEqual([
      ["run", false],
      ["list", true],
      ["status", true],
      ["output", true],
      ["wait", true],
      ["stop", false],
      ["recover", true],
      ["sessions", true],
      ["search", true],
    ]);
  });

  test("runs a task for the session, gives its ending once, and everybody else sees it, too", async () => {
    await using home = taskHome();
    await using client = await connect(home);
    const { id } = await client.call<{ id: string }>("run", {
      command: "echo 4711; exit 3",
      description: "errand",
    });
    expect(await client.call("wait", { id })).toMatchObject({
      timedOut: false,
      status: "failed",
      exitCode: 3,
      stdout: "4711\n",
    });
    expect(await home.json("inspect", id)).toMatchObject({
      sessionId: "s-1",
      toolUseId: "toolu_7",
      notice: { by: "s-1" },
    });
    expect(await client.call("recover")).toEqual({
      running: [],
      finishedUnseen: [],
      lost: [],
      duplicates: [],
    });
    expect(await client.call("status", { id: "@last" })).toMatchObject({ id, status: "failed" });
    expect(await client.call("list", { ended: true })).toMatchObject({ total: 1, tasks: [{ id }] });
    expect(await client.call("sessions")).toEqual({ sessions: [] });
    expect(await client.call("search", { query: "errand" })).toMatchObject({
      total: 1,
      hits: [{ taskId: id }],
    });
  });

  test("does not wait for ever, shows what there is, and stops", async () => {
    await using home = taskHome();
    await using client = await connect(home);
    const { id } = await client.call<{ id: string }>("run", { command: "echo begun; sleep 1000" });
    expect(await client.call("wait", { id, timeoutMs: 10 })).toMatchObject({
      timedOut: true,
      status: "running",
    });
    await waitFor(async () => (await client.call<{ stdout: string }>("output", { id })).stdout === "begun\n");
    expect(await client.call("recover")).toMatchObject({ running: [{ id, pids: [expect.any(Number)] }] });
    expect(await client.call("stop", { id, reason: "enough" })).toMatchObject({
      status: "stopped",
      stoppedBy: "s-1",
      stopReason: "enough",
    });
  });

  test("answers what cannot be done with a code, and goes on", async () => {
    await using home = taskHome();
    await using client = await connect(home);
    expect(await client.call("status", { id: "nope" })).toMatchObject({ error: { code: "task_not_found" } });
    expect(await client.call("run", { command: " " })).toMatchObject({ error: { code: "task_refused" } });
    const { isError } = await client.ask("tools/call", {
      name: "wait",
      arguments: { id: "x", timeoutMs: 1e9 },
    });
    expect(isError).toBe(true);
    expect(await client.call("list")).toEqual({ tasks: [], total: 0 });
  });
});
