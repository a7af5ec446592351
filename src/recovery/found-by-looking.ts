import fs from "node:fs";
import path from "node:path";
import { configPaths, isSafeName, projectKey } from "../format/paths.ts";
import { recoveredAgeMsMax, recoveredLaunchesMax } from "./limits.ts";
import type { Clock } from "../lib/clock.ts";
import { namesIn } from "../lib/names-in.ts";
import { readJson } from "../lib/read-json.ts";
import { isJsonObject } from "../format/json-object.ts";
import { lookAtProcesses } from "../lib/process-table.ts";
import { listClientProcesses } from "../store/write/client-processes.ts";
import { fingerprint } from "./fingerprint.ts";
import { readAgentMeta } from "./look-at-agent.ts";
import type { OpenOutputs } from "./open-outputs.ts";
import { lastAnswer, readTranscriptEnd } from "./read-ending.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface LookingOptions {
  configDir: string;
  projectDir?: string | undefined;
  clock: Clock;
  openOutputs: OpenOutputs;
  /** Ids that are known already. */
  known: ReadonlySet<string>;
}

/**
 * Work of the client that no hook told of: its background sessions, agents that have not finished, and commands that
 * still run. Reads the client's files and never writes them.
 */
export function findByLooking(options: LookingOptions): RecoveredItem[] {
  return [...backgroundSessions(options), ...unfinishedAgents(options), ...runningCommands(options)].filter(
    ({ id }) => !options.known.has(id),
  );
}

const jobStatus: Record<string, RecoveredItem["status"]> = {
  working: "running",
  blocked: "running",
  idle: "running",
  done: "completed",
  failed: "failed",
  stopped: "stopped",
};

// `claude --bg`: a folder a session, with its state.
function backgroundSessions({ configDir, projectDir, clock }: LookingOptions): RecoveredItem[] {
  const dir = path.join(configDir, "jobs");
  return safeNamesIn(dir).flatMap((id): RecoveredItem[] => {
    const file = path.join(dir, id, "state.json");
    const job = readJson(file);
    if (!isJsonObject(job)) return [];
    const state = textOf(job, "state");
    const status = state === undefined ? undefined : jobStatus[state];
    const cwd = textOf(job, "cwd");
    if (status === undefined || cwd === undefined) return [];
    if (projectDir !== undefined && cwd !== projectDir) return [];
    const writtenAt = modifiedAt(file);
    if (status !== "running" && isOld(writtenAt, clock)) return [];
    const prompt = textOf(job, "intent") ?? "";
    const sessionId = textOf(job, "sessionId");
    return [
      {
        id,
        kind: "session",
        owner: "client",
        description: textOf(job, "name") ?? prompt,
        prompt,
        cwd,
        ...(sessionId !== undefined && { sessionId }),
        status,
        startedAt: timeOf(job["startedAt"]) ?? writtenAt,
        ...(status !== "running" && { endedAt: writtenAt }),
        ...(state === "blocked" && { detail: "it waits for an answer" }),
        fingerprint: "",
        knownBy: ["job state"],
        seenBy: [],
        // Whether anybody has looked at it is not known; the client lists it itself.
        isUnseen: false,
      },
    ];
  });
}

// Only those that have not finished: whether a finished one was seen is in no file of its own.
function unfinishedAgents({ configDir, projectDir, clock }: LookingOptions): RecoveredItem[] {
  const paths = configPaths(configDir);
  const living = new Set(listClientProcesses(configDir).map(({ sessionId }) => sessionId));
  const keys = projectDir === undefined ? safeNamesIn(paths.projectsDir) : [projectKey(projectDir)];
  const items: RecoveredItem[] = [];
  for (const key of keys) {
    // The folders among them have no extension.
    for (const sessionId of safeNamesIn(paths.projectDir(key)).filter((name) => !name.includes("."))) {
      const dir = path.join(paths.projectDir(key), sessionId, "subagents");
      for (const name of namesIn(dir)) {
        if (items.length >= recoveredLaunchesMax) return items;
        const id = /^agent-([\w-]+)\.meta\.json$/.exec(name)?.[1];
        if (id === undefined) continue;
        const transcript = path.join(dir, `agent-${id}.jsonl`);
        const item = unfinishedAgent(transcript, { id, sessionId, clock, isAlive: living.has(sessionId) });
        if (item) items.push({ ...item, cwd: projectDir ?? item.cwd });
      }
    }
  }
  return items;
}

function unfinishedAgent(
  transcript: string,
  { id, sessionId, clock, isAlive }: { id: string; sessionId: string; clock: Clock; isAlive: boolean },
): RecoveredItem | undefined {
  const meta = readAgentMeta(transcript);
  if (!meta?.isBackground || meta.isFinished || isOld(meta.writtenAt, clock)) return undefined;
  const end = readTranscriptEnd(transcript);
  const answer = end && lastAnswer(end.text);
  return {
    id,
    kind: "local_agent",
    owner: "client",
    description: meta.description,
    prompt: "",
    agentType: meta.agentType,
    cwd: cwdIn(end?.text ?? ""),
    sessionId,
    status: isAlive ? "running" : "lost",
    startedAt: meta.writtenAt,
    ...(!isAlive && end && { endedAt: end.writtenAt, detail: "no client has its session open any more" }),
    outputFile: transcript,
    ...(answer !== undefined && { result: answer }),
    fingerprint: "",
    knownBy: ["agent meta"],
    seenBy: [],
    isUnseen: true,
  };
}

// `<tmp>/claude-<uid>/<project>/<session>/tasks/<id>.output`, as long as a process has it open.
const CLIENT_OUTPUT = /\/claude-\d+\/([^/]+)\/([^/]+)\/tasks\/(b[0-9a-z]+)\.output$/;

function runningCommands({ projectDir, openOutputs }: LookingOptions): RecoveredItem[] {
  const table = lookAtProcesses();
  return [...openOutputs.all].flatMap(([file, pids]): RecoveredItem[] => {
    const [, key, sessionId, id] = CLIENT_OUTPUT.exec(file) ?? [];
    if (key === undefined || sessionId === undefined || id === undefined) return [];
    if (projectDir !== undefined && projectKey(projectDir) !== key) return [];
    const [pid] = pids;
    const command = pid === undefined ? "" : table.command(pid);
    const cwd = (pid === undefined ? undefined : table.workingDir(pid)) ?? projectDir ?? "";
    return [
      {
        id,
        kind: "local_bash",
        owner: "client",
        description: command.slice(0, 80),
        prompt: command.slice(0, 200),
        cwd,
        sessionId,
        status: "running",
        startedAt: new Date(
          fs.statSync(file, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now(),
        ).toISOString(),
        outputFile: file,
        pids: [...pids],
        fingerprint: fingerprint({ kind: "local_bash", text: command, cwd }),
        knownBy: [`open output file of pid ${pids.join(", ")}`],
        seenBy: [],
        isUnseen: false,
      },
    ];
  });
}

function cwdIn(transcriptEnd: string): string {
  const found = /"cwd":("(?:[^"\\]|\\.)*")/.exec(transcriptEnd)?.[1];
  return found === undefined ? "" : (JSON.parse(found) as string);
}

function safeNamesIn(dir: string): string[] {
  return namesIn(dir).filter(isSafeName);
}

function textOf(object: Record<string, unknown>, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeOf(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function modifiedAt(file: string): string {
  return (fs.statSync(file, { throwIfNoEntry: false })?.mtime ?? new Date(0)).toISOString();
}

function isOld(moment: string, clock: Clock): boolean {
  return Date.parse(moment) < clock.now().getTime() - recoveredAgeMsMax;
}
