import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { configPaths, projectKey } from "../../../format/paths.ts";
import type { HookOutput } from "../../hooks/index.ts";
import { openRuntime } from "../../../runtime/open-runtime.ts";
import { shellWord } from "../../../lib/shell-quote.ts";
import type { Claim, Narrator } from "./narrator.ts";
import type { Stage } from "./scene.ts";
import { scenes } from "./scene-list.ts";
import { killStage } from "./stage-processes.ts";
import { startCommand, type CommandSurroundings } from "./start-command.ts";
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
    killStage(path.join(dir, HOME));
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

const HOME = "state";

interface StageOptions {
  narrator: Narrator;
  /** Every process that runs on the stage now. */
  children: Set<ChildProcess>;
  columns: number;
}

function openStage(dir: string, { narrator, children, columns }: StageOptions): Stage {
  const home = path.join(dir, HOME);
  const configDir = path.join(dir, "config");
  const cwd = path.join(dir, "project");
  fs.mkdirSync(cwd);
  const runtime = openRuntime({ home, configDir });
  const ref = { projectKey: projectKey(cwd), sessionId: randomUUID() };
  const surroundings: CommandSurroundings = { children, home, configDir, cwd, columns: columns - 5 };
  const lineOf = (args: readonly string[]): string => ["holdfast", ...args].map(shellWord).join(" ");
  const stage: Stage = {
    home,
    configDir,
    cwd,
    sessions: runtime.sessions,
    tasks: runtime.tasks,
    session: { ...ref, path: configPaths(configDir).transcriptPath(ref) },
    tell: (text) => narrator.tell(text),
    claim(text, isSo) {
      narrator.claim(text, isSo);
      if (!isSo) throw new NotSo(text);
    },
    async run(args) {
      const ran = await startCommand(args, surroundings).ended();
      narrator.command(lineOf(args), ran.stdout + ran.stderr);
      return ran;
    },
    async start(args) {
      const command = startCommand(args, surroundings);
      narrator.command(lineOf(args), `${await command.firstLine()}\n`);
      return command;
    },
    async sendEvent(event, fields, { clientPid = process.pid } = {}) {
      const { sessionId, path: transcript } = stage.session;
      const common = { session_id: sessionId, transcript_path: transcript, cwd, hook_event_name: event };
      const ran = await startCommand(["hook"], surroundings, {
        input: JSON.stringify({ ...common, ...fields }),
        env: { CLAUDE_PID: String(clientPid), CLAUDE_PROJECT_DIR: cwd, CLAUDE_CODE_TMPDIR: dir },
      }).ended();
      const told = ran.stdout === "" ? undefined : (JSON.parse(ran.stdout) as HookOutput).hookSpecificOutput;
      narrator.command(`holdfast hook < ${event}.json`, told?.additionalContext ?? "");
      return told?.additionalContext ?? "";
    },
    startWriter: () =>
      startWriterProcess({ children, home, configDir, cwd, sessionId: stage.session.sessionId }),
  };
  return stage;
}
