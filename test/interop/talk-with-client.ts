import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { waitFor } from "../support/wait-for.ts";
import { environmentOf, type ClientHome } from "./resume-with-client.ts";

export interface TalkOptions {
  cwd: string;
  modelUrl: string;
  /** Added to the client's arguments. */
  args?: string[];
  env?: Record<string, string>;
}

/** The real client in a conversation of several prompts. */
export interface Talk {
  readonly pid: number;
  readonly sessionId: string | undefined;
  readonly stderr: string;
  /** Says a prompt and waits until the client has answered it. */
  say(prompt: string): Promise<void>;
  /** Says a prompt and does not wait. */
  begin(prompt: string): void;
  /** Asks the client itself for something, as a program that embeds it does: `{subtype: "stop_task", …}`. */
  control(request: Record<string, unknown>): void;
  /** By kill -9, or by another signal; resolves when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Ends the conversation in good order; resolves with the exit code. */
  end(): Promise<number | null>;
}

const PATIENCE = { timeoutMs: 90_000 };

export function talkWithClient(home: ClientHome, { cwd, modelUrl, args = [], env = {} }: TalkOptions): Talk {
  const mode = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = spawn(home.client, [...mode, "--allowedTools", "Bash,Agent", ...args], {
    cwd,
    env: { ...environmentOf(home, modelUrl), ENABLE_TOOL_SEARCH: "false", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let sessionId: string | undefined;
  let results = 0;
  let stderr = "";
  child.stdin.on("error", () => {});
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { type?: string; session_id?: string; origin?: unknown };
    sessionId ??= message.session_id;
    // Of a turn that nobody asked for, such as a notification's, it says where that came from.
    if (message.type === "result" && message.origin === undefined) results++;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const begin = (prompt: string): void => write({ type: "user", message: { role: "user", content: prompt } });
  let controls = 0;
  return {
    pid: child.pid ?? 0,
    get sessionId() {
      return sessionId;
    },
    get stderr() {
      return stderr;
    },
    begin,
    control(request) {
      write({ type: "control_request", request_id: `control-${++controls}`, request });
    },
    async say(prompt) {
      const before = results;
      begin(prompt);
      await waitFor(() => results > before || child.exitCode !== null, PATIENCE);
    },
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
    async end() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE.timeoutMs);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}
