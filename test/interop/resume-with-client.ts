import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { startFakeMessagesApi, type MessagesRequest } from "./fake-messages-api.ts";

export interface ClientHome {
  /** The client's program. */
  client: string;
  userHome: string;
  configDir: string;
}

export interface ResumeOptions {
  /** Which session; without it the newest one of the project, as `--continue` finds it. */
  sessionId?: string | undefined;
  cwd: string;
  prompt: string;
  /** Called while the client waits for its answer, with the session open. */
  meanwhile?: () => Promise<void> | void;
}

export interface Resumed {
  code: number | null;
  /** The session that the client says it is in. */
  sessionId: string | undefined;
  stderr: string;
  /** What the model was given, if it was asked at all. */
  request: MessagesRequest | undefined;
}

export const ANSWER = "The fake model has answered";
const TIMEOUT_MS = 120_000;

/** Lets the real client go on with a session, one turn, against a fake model. */
export async function resumeWithClient(home: ClientHome, options: ResumeOptions): Promise<Resumed> {
  const { sessionId, cwd, prompt, meanwhile = () => {} } = options;
  const api = await startFakeMessagesApi(ANSWER);
  api.onRequest = meanwhile;
  try {
    const which = sessionId === undefined ? ["--continue"] : ["--resume", sessionId];
    const args = ["-p", prompt, ...which, "--output-format", "stream-json", "--verbose"];
    const child = spawn(home.client, args, {
      cwd,
      env: environmentOf(home, api.url),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
      }),
    ]);
    clearTimeout(timer);
    return { code, sessionId: sessionIdIn(stdout), stderr: stderr.trim(), request: api.requests[0] };
  } finally {
    await api.close();
  }
}

// Only these: what the developer's shell holds (a real key, a proxy) must not reach the client.
export function environmentOf({ userHome, configDir }: ClientHome, apiUrl: string): Record<string, string> {
  fs.mkdirSync(path.join(userHome, "tmp"), { recursive: true });
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: userHome,
    TMPDIR: path.join(userHome, "tmp"),
    CLAUDE_CONFIG_DIR: configDir,
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: "sk-ant-not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sessionIdIn(stdout: string): string | undefined {
  return /"session_id":"([^"]+)"/.exec(stdout)?.[1];
}
