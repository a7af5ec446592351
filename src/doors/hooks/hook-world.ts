import fs from "node:fs";
import path from "node:path";
import { currentProcess, startTimeOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { isSafeName } from "../../format/paths.ts";
import { readProcess } from "../../lib/process-table.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ManifestPlace } from "../../recovery/append-manifest.ts";
import type { LaunchLine, LineStart } from "../../recovery/manifest-line.ts";
import type { RecoverOptions } from "../../recovery/recover-options.ts";
import type { HookInput } from "./hook-input.ts";

/** What a hook is given besides its input. */
export interface HookWorld {
  home: string;
  /** The user's settings, where they are not in the home. */
  settingsFile?: string;
  env: Readonly<Record<string, string | undefined>>;
  userHome: string;
  /** Who started this process: the client, unless a shell stands between. */
  parentPid: number;
  /** Where the scripts of the plugin are; without it commands do not write down how they end. */
  scriptsDir?: string;
  /** What runs `holdfast`: a program and its first arguments. */
  command: readonly string[];
  clock: Clock;
}

/** The folder that the session belongs to, whatever folder it is in now. */
export function projectDirOf({ cwd }: HookInput, { env }: HookWorld): string {
  const dir = env["CLAUDE_PROJECT_DIR"];
  return dir !== undefined && path.isAbsolute(dir) ? dir : cwd;
}

export function manifestPlace(input: HookInput, world: HookWorld): ManifestPlace {
  return { home: world.home, projectDirs: [projectDirOf(input, world)], now: world.clock.now() };
}

/** What every line says that a hook adds to the manifest. */
export function lineOf({ sessionId, cwd }: HookInput, { clock }: HookWorld, id: string): LineStart {
  const timestamp = clock.now().toISOString();
  return { timestamp, agent_id: id, session_id: sessionId, cwd, source: "hook" };
}

/** What every line says of a launch. */
export function launchOf(
  input: HookInput,
  world: HookWorld,
  id: string,
): LineStart & Required<Pick<LaunchLine, "status" | "machine" | "client">> {
  const client = clientProcess(world);
  return { ...lineOf(input, world, id), status: "launched", machine: client.host, client };
}

/** The client's config folder: the one that holds the transcript, whatever the environment says. */
export function configDirOf({ transcriptPath }: HookInput, { env, userHome }: HookWorld): string {
  const projects = path.dirname(path.dirname(transcriptPath));
  if (path.isAbsolute(transcriptPath) && path.basename(projects) === "projects")
    return path.dirname(projects);
  return env["CLAUDE_CONFIG_DIR"] || path.join(userHome, ".claude");
}

/** For whom a hook looks at background work, and where. */
export function recoverOptions(
  input: HookInput,
  world: HookWorld,
): RecoverOptions & { projectDir: string; sessionId: string } {
  const { home, clock, env } = world;
  const { sessionId, transcriptPath } = input;
  return {
    home,
    configDir: configDirOf(input, world),
    clock,
    projectDir: projectDirOf(input, world),
    sessionId,
    tempDirs: tempDirs(env),
    ...(path.isAbsolute(transcriptPath) && { transcript: transcriptPath }),
  };
}

/** Whether a launch is of the client that asks, and not of one before it or of one that it took the work over from. */
export function isOfThisClient(
  { client }: { client?: ProcessIdentity | undefined },
  world: HookWorld,
): boolean {
  const here = clientProcess(world);
  return client !== undefined && client.pid === here.pid && client.startTime === here.startTime;
}

/** The client's process, so that later ones can tell whether it is still there. */
export function clientProcess({ env, parentPid }: HookWorld): ProcessIdentity {
  const told = Number(env["CLAUDE_PID"]);
  const pid = Number.isInteger(told) && told > 0 ? told : beyondShells(parentPid);
  return { ...currentProcess(), pid, startTime: startTimeOf(pid) ?? "" };
}

// A client that runs its hooks by a shell stands behind that shell, which is gone in a moment.
function beyondShells(parentPid: number): number {
  let pid = parentPid;
  for (let steps = 0; steps < 4; steps++) {
    const running = readProcess(pid);
    if (!running || !/^(ba|da|z|k|fi)?sh$/.test(running.name) || running.parent <= 1) return pid;
    pid = running.parent;
  }
  return pid;
}

/**
 * Where the client keeps the output of a background command; it does not tell, so the places are tried. Empty for an id that is
 * no name of a file.
 */
export function shellOutputFile(input: HookInput, { env }: HookWorld, taskId: string): string {
  if (!isSafeName(taskId)) return "";
  const project = path.basename(path.dirname(input.transcriptPath));
  const below = path.join(
    `claude-${process.getuid?.() ?? 0}`,
    project,
    input.sessionId,
    "tasks",
    `${taskId}.output`,
  );
  const files = tempDirs(env).map((root) => path.join(root, below));
  return files.find((file) => fs.existsSync(file)) ?? files.at(-1)!;
}

// The client's own first, then those of the system.
function tempDirs(env: HookWorld["env"]): string[] {
  const named = [env["CLAUDE_CODE_TMPDIR"], env["TMPDIR"], "/tmp"];
  return [...new Set(named.flatMap((root) => (root ? [root] : [])))];
}

/** The transcript of a sub-agent of the session; empty for an id that is no name of a file. */
export function agentTranscript({ transcriptPath, sessionId }: HookInput, agentId: string): string {
  if (!isSafeName(agentId)) return "";
  return path.join(path.dirname(transcriptPath), sessionId, "subagents", `agent-${agentId}.jsonl`);
}
