import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { configPaths, projectKey } from "../../format/paths.ts";
import { openRuntime } from "../../runtime/open-runtime.ts";
import type { Claim, Narrator } from "./narrator.ts";
import type { CommandRun, Stage } from "./scene.ts";
import { scenes } from "./scene-list.ts";
import { startWriterProcess } from "./writer-process.ts";

export interface DemoResult {
  /** The first claim that is not so; absent when all are. */
  failed?: Claim;
  durationMs: number;
}

/** Plays every scene on a home that is made for it and removed afterwards, whatever happens. */
export async function runDemo(narrator: Narrator, { columns }: { columns: number }): Promise<DemoResult> {
  const startedAt = performance.now();
  // A private name, not a fixed one: nobody can have planted anything there.
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-demo-")));
  const children = new Set<ChildProcess>();
  // On every way out, Ctrl+C included. A process that is left could make the folder anew.
  const removeAll = (): void => {
    for (const child of children) child.kill("SIGKILL");
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on("exit", removeAll);
  try {
    const stage = openStage(dir, { narrator, children, columns });
    for (const [index, scene] of scenes.entries()) {
      narrator.openScene(index + 1, scene.title);
      await scene.play(stage);
    }
  } catch (error) {
    if (!(error instanceof NotSo)) throw error;
  } finally {
    removeAll();
    process.removeListener("exit", removeAll);
  }
  const failed = narrator.claims.find(({ isSo }) => !isSo);
  return { ...(failed && { failed }), durationMs: performance.now() - startedAt };
}

class NotSo extends Error {}

interface StageOptions {
  narrator: Narrator;
  /** Every process that runs on the stage now. */
  children: Set<ChildProcess>;
  columns: number;
}

function openStage(dir: string, { narrator, children, columns }: StageOptions): Stage {
  const home = path.join(dir, "state");
  const configDir = path.join(dir, "config");
  const cwd = path.join(dir, "project");
  fs.mkdirSync(cwd);
  const { sessions } = openRuntime({ home, configDir });
  const ref = { projectKey: projectKey(cwd), sessionId: randomUUID() };
  const stage: Stage = {
    home,
    configDir,
    cwd,
    sessions,
    session: { ...ref, path: configPaths(configDir).transcriptPath(ref) },
    tell: (text) => narrator.tell(text),
    claim(text, isSo) {
      narrator.claim(text, isSo);
      if (!isSo) throw new NotSo(text);
    },
    async run(args) {
      const ran = await runCommand(args, { children, home, configDir, cwd, columns: columns - 5 });
      narrator.command(["holdfast", ...args].map(quote).join(" "), ran.stdout + ran.stderr);
      return ran;
    },
    startWriter: () =>
      startWriterProcess({ children, home, configDir, cwd, sessionId: stage.session.sessionId }),
  };
  return stage;
}

interface RunOptions {
  children: Set<ChildProcess>;
  home: string;
  configDir: string;
  cwd: string;
  columns: number;
}

/** The command that is running now, once more, on the stage. */
function runCommand(
  args: readonly string[],
  { children, home, configDir, cwd, columns }: RunOptions,
): Promise<CommandRun> {
  const surroundings = {
    HOLDFAST_HOME: home,
    CLAUDE_CONFIG_DIR: configDir,
    COLUMNS: String(columns),
    NO_COLOR: "1",
    // A clone compiles its sources at every start; the tour starts a dozen times.
    NODE_COMPILE_CACHE: path.join(home, "compiled"),
  };
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
    cwd,
    env: { ...process.env, ...surroundings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  child.once("close", () => children.delete(child));
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => stdout.push(data));
  child.stderr.on("data", (data: Buffer) => stderr.push(data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

function quote(word: string): string {
  return /^[\w@./:-]+$/.test(word) ? word : `"${word}"`;
}
