import path from "node:path";
import { isSafeName } from "../format/paths.ts";
import { isJsonObject } from "../format/json-object.ts";
import type { Clock } from "../lib/clock.ts";
import { namesIn } from "../lib/names-in.ts";
import { readJson } from "../lib/read-json.ts";
import { listClientProcesses } from "../store/write/client-processes.ts";
import { movingMsMax } from "./limits.ts";
import { endOfAgent } from "./look-at-agent.ts";
import type { Look, LookMoved, MovableWork } from "./recovered-item.ts";

/**
 * "Move to background and exit" of the client: a new process goes on with the agents of a session under a new session id.
 * Which ones, its job says (`adopt.json`) until they are in the new session's folder. In between nothing names them and no
 * process owns them, for some hundred milliseconds; so a job that has just begun counts as their owner.
 */
export function movedWork({ configDir, clock }: { configDir: string; clock: Clock }): LookMoved {
  let jobs: readonly Job[] | undefined;
  return (launch) => {
    for (const job of (jobs ??= listJobs(configDir, clock))) {
      if (job.sessionId === launch.session_id) continue;
      const look = lookInJob(launch, job);
      if (look) return look;
    }
    return undefined;
  };
}

interface Job {
  sessionId: string;
  cwd: string;
  /** The ids of what it is about to take over. */
  adopts: readonly string[];
  isYoung: boolean;
  /** Of the client that has its session open. */
  pid: number | undefined;
}

function lookInJob(launch: MovableWork, { sessionId, cwd, adopts, isYoung, pid }: Job): Look | undefined {
  const { agent_id: id, transcript = "" } = launch;
  // <project>/<session>/subagents/agent-<id>.jsonl
  const project = path.dirname(path.dirname(path.dirname(transcript)));
  const moved = path.join(project, sessionId, "subagents", `agent-${id}.jsonl`);
  const isMoved = transcript !== "" && namesIn(path.dirname(moved)).includes(`agent-${id}.meta.json`);
  const ended = isMoved ? endOfAgent(moved) : undefined;
  if (ended) return ended;
  const isNamed = isMoved || adopts.includes(id);
  if (!(isNamed && (pid !== undefined || isYoung)) && !(isYoung && cwd === launch.cwd)) return undefined;
  return {
    status: "running",
    detail: `its session was moved to the background and is session ${sessionId} now`,
    knownBy: [pid === undefined ? "job state" : `client pid ${pid}`],
  };
}

function listJobs(configDir: string, clock: Clock): Job[] {
  const dir = path.join(configDir, "jobs");
  const names = namesIn(dir).filter(isSafeName);
  if (names.length === 0) return [];
  const living = new Map(listClientProcesses(configDir).map(({ sessionId, pid }) => [sessionId, pid]));
  return names.flatMap((name): Job[] => {
    const state = readJson(path.join(dir, name, "state.json"));
    const { sessionId, cwd, createdAt } = isJsonObject(state) ? state : {};
    if (typeof sessionId !== "string" || !isSafeName(sessionId) || typeof cwd !== "string") return [];
    const age = clock.now().getTime() - Date.parse(String(createdAt));
    const adopts = namesIn(path.join(dir, name))
      .filter((file) => file.startsWith("adopt.json"))
      .flatMap((file) => adoptedIn(readJson(path.join(dir, name, file))));
    return [{ sessionId, cwd, adopts, isYoung: Math.abs(age) < movingMsMax, pid: living.get(sessionId) }];
  });
}

function adoptedIn(value: unknown): string[] {
  if (!isJsonObject(value)) return [];
  const lists = [value["agents"], value["shells"]].filter((list) => Array.isArray(list)).flat() as unknown[];
  return lists.flatMap((each) => {
    const id = isJsonObject(each) ? (each["agentId"] ?? each["taskId"]) : undefined;
    return typeof id === "string" ? [id] : [];
  });
}
