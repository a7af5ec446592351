import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../support/wait-for.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What runs published agents offline: how they are installed, their settings, and the scripted API. It lies beside the clone. */
const kit = path.join(root, "..", "shared", "realagents");
/** Where the programs are installed: fetched, never part of the repository. */
const installed = process.env["REAL_AGENTS"] ?? path.join(root, ".cache", "realagents");

export const isKitThere: boolean = fs.existsSync(kit);

/** The scripted API, which answers as the prompt says and logs each request. */
export interface ScriptedApi extends AsyncDisposable {
  port: number;
}

export async function startScriptedApi(port: number): Promise<ScriptedApi> {
  const log = path.join(installed, "api-log");
  fs.rmSync(log, { recursive: true, force: true });
  const program = path.join(kit, "fake-api.mjs");
  const server = spawn(process.execPath, [program, String(port), log], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await waitFor(() => said.includes("fake on"));
  return { port, [Symbol.asyncDispose]: () => endOf(server) };
}

async function endOf(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill();
  await ended;
}

/** Fetches the agent if it is not there. Throws when that is not possible. */
export function install(agent: string): void {
  if (fs.existsSync(path.join(installed, "bin", agent))) return;
  const done = spawnSync("bash", [path.join(kit, "install.sh"), agent], {
    env: { ...process.env, RA: installed },
  });
  if (done.status !== 0) throw new Error(`Cannot install ${agent}: ${done.stderr.toString().trim()}`);
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A fresh home and project, with one agent on the PATH and set up by its own settings. */
export interface RealWorld {
  project: string;
  holdfast: (...args: string[]) => Promise<Ran>;
}

export function openRealWorld(agent: string, name: string, { port }: ScriptedApi): RealWorld {
  const world = path.join(installed, "w", name);
  fs.rmSync(world, { recursive: true, force: true });
  const script = `. ${path.join(kit, "env.sh")} ${agent} ${name} >/dev/null && env -0`;
  const env = { ...process.env, RA: installed, PORT: String(port), NODE_DIR: path.dirname(process.execPath) };
  const told = spawnSync("bash", ["-c", script], { env, encoding: "utf8" });
  if (told.status !== 0) throw new Error(`Cannot set up ${agent}: ${told.stderr}`);
  const pairs = told.stdout.split("\0").filter((pair) => pair.includes("="));
  const variables = pairs.map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
  const project = path.join(world, "project");
  const seen = Object.fromEntries(variables) as Record<string, string>;
  return { project, holdfast: (...args) => runHoldfast(args, { cwd: project, env: seen }) };
}

const LONGEST_MS = 120_000;

async function runHoldfast(
  args: string[],
  place: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const bin = path.join(root, "bin", "holdfast.js");
  const child = spawn(process.execPath, [bin, ...args], { ...place, timeout: LONGEST_MS });
  child.stdin.end();
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, stdout: stdout!(), stderr: stderr!() };
}
