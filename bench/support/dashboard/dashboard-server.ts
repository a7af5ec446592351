import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { programPath } from "../run-program.ts";
import type { DashboardHome } from "./dashboard-home.ts";
import type { DashboardProgram, Entry } from "./dashboard-program.ts";

export interface DashboardServer {
  readonly origin: string;
  readonly program: DashboardProgram;
  readonly entry: Entry;
  /** From before it was started until it answered for the first time, whatever it said. */
  readonly listensMs: number;
  /** The same until it lists all sessions, and all tasks if it knows any. */
  readonly listedMs: number;
  readonly sessions: number;
  peakMb(): number;
  stop(): Promise<BlockedLoop>;
}

/** For how long its event loop was blocked since it listed all sessions (programs/loop-delay.mjs). */
export interface BlockedLoop {
  readonly p99Ms: number;
  readonly maxMs: number;
}

const STARTS_WITHIN_MS = 120_000;
const STOPS_WITHIN_MS = 15_000;
const POLL_MS = 5;

/** Starts a dashboard and waits until it lists all sessions of the home. */
export async function startDashboard(
  program: DashboardProgram,
  home: DashboardHome,
): Promise<DashboardServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const delayFile = path.join(home.userHome, `loop-delay-${port}.json`);
  const startedAt = performance.now();
  const { child, said } = startServer(program, { home, port, delayFile });
  const until = async (isSo: () => Promise<boolean>): Promise<number> => {
    while (!(await isSo())) {
      if (child.exitCode !== null || performance.now() - startedAt > STARTS_WITHIN_MS)
        throw new Error(`Cannot start the dashboard: it said ${said().slice(-2000)}`);
      await pause(POLL_MS);
    }
    return performance.now() - startedAt;
  };
  try {
    const listensMs = await until(() => answers(origin));
    const entry = await program.enter(origin, said);
    let sessions = 0;
    await until(async () => (sessions = await program.countSessions(origin, entry)) >= home.sessions);
    const listedMs = await until(
      async () => ((await program.countTasks?.(origin, entry)) ?? home.tasks) >= home.tasks,
    );
    // What it did to start is over: from now on its loop is looked at.
    child.kill("SIGUSR2");
    return {
      origin,
      program,
      entry,
      listensMs,
      listedMs,
      sessions,
      peakMb: () => peakMbOf(child.pid!),
      stop: () => stop(child, delayFile),
    };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

function startServer(
  program: DashboardProgram,
  { home, port, delayFile }: { home: DashboardHome; port: number; delayFile: string },
): { child: ChildProcess; said: () => string } {
  const [command, ...args] = program.argv(port) as [string, ...string[]];
  const child = spawn(command, args, {
    cwd: home.userHome,
    env: {
      PATH: process.env["PATH"],
      HOME: home.userHome,
      LANG: "C.UTF-8",
      TZ: "UTC",
      NODE_OPTIONS: `--import ${programPath("loop-delay.mjs")}`,
      BENCH_DELAY_FILE: delayFile,
      ...program.envOf(home, port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => (text = (text + piece).slice(-20_000)));
  return { child, said: () => text };
}

async function stop(child: ChildProcess, delayFile: string): Promise<BlockedLoop> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
  if (child.exitCode === null && child.signalCode === null) await exited;
  clearTimeout(timer);
  return JSON.parse(fs.readFileSync(delayFile, "utf8")) as BlockedLoop;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function answers(origin: string): Promise<boolean> {
  try {
    await (await fetch(origin, { redirect: "manual" })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function peakMbOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return (Number(kilobytes) * 1024) / 1e6;
}
