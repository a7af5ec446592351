import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { waitFor, type TestHome } from "../support/index.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

interface Answer {
  id: number;
  result: {
    tools?: {
      name: string;
      annotations: { readOnlyHint: boolean };
      inputSchema: { additionalProperties: boolean };
    }[];
    content: [{ text: string }];
    isError?: boolean;
    serverInfo?: { name: string };
  };
}

/** A client of the server, as an agent's harness would be one. */
export interface McpClient extends AsyncDisposable {
  ask(method: string, params?: object): Promise<Answer["result"]>;
  /** Calls a tool and reads its answer. */
  call<T = Record<string, unknown>>(name: string, args?: object): Promise<T>;
  /** Gives up what it asked last but one. */
  cancelLast(): void;
  /** Reads no more. */
  leave(): void;
  /** The server's exit code, once it has ended. */
  readonly closed: Promise<number | null>;
  /** Lets the server end. */
  ended(): Promise<number | null>;
}

/** Starts `holdfast mcp` for session s-1. */
export async function connectMcp(home: TestHome): Promise<McpClient> {
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
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const ended = (): Promise<number | null> => {
    child.stdin.end();
    return closed;
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
    cancelLast: () => send({ method: "notifications/cancelled", params: { requestId: asked - 1 } }),
    leave: () => void child.stdout.destroy(),
    closed,
    ended,
    async [Symbol.asyncDispose]() {
      expect(await ended()).toBe(0);
    },
  };
}
