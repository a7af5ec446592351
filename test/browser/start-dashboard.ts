import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestHome } from "../support/run-holdfast.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

export interface Dashboard {
  /** With the token that lets a browser in. */
  url: string;
  /** Without it. */
  origin: string;
  port: number;
  process: ChildProcess;
  /** Kills it as a crash would. */
  kill(): Promise<void>;
}

/** Starts the real server on a home, on any port or the one that is named. */
export async function startDashboard(home: TestHome, { port }: { port?: number } = {}): Promise<Dashboard> {
  const child = spawn(
    process.execPath,
    [bin, "up", "--no-open", ...(port === undefined ? [] : ["--port", String(port)])],
    {
      cwd: home.cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home.userHome,
        HOLDFAST_HOME: home.home,
        CLAUDE_CONFIG_DIR: home.configDir,
        LANG: "C.UTF-8",
        TZ: "UTC",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await addressIn(child);
  const { origin, port: given } = new URL(url);
  return {
    url,
    origin,
    port: Number(given),
    process: child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function addressIn(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line);
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    // What it says from now on is of no interest, but must not fill the pipe.
    child.stdout!.resume();
    return url;
  }
  throw new Error(`The dashboard said no address: ${said.join("\n")}`);
}
