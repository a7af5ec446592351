import { projectKey } from "../format/paths.ts";
import { pathBelow } from "../lib/path-below.ts";
import { withinTime } from "./bounded-regex.ts";
import { searchedText } from "./entry-document.ts";
import { makeSnippet } from "./make-snippet.ts";
import type { SearchHit } from "./read-hit.ts";
import { redactBlocks } from "./redact-documents.ts";
import { scorerOf, type Match, type MatchFilter, type Wanted } from "./scan-matches.ts";

/** A background task, as far as it can be found: what it was to do, and the end of what it printed. */
export interface SearchedTask {
  taskId: string;
  /** The name of its project's folder. */
  project: string;
  cwd: string;
  sessionId: string | undefined;
  startedAt: string;
  /** Absent while it runs: then it is not taken into the index, because it says more. */
  endedAt: string | undefined;
  /** Its texts, read when they are needed. */
  blocks: () => string[];
}

/** The background tasks of a home, each read when it is asked for. */
export interface SearchedTasks {
  all(): readonly SearchedTask[];
  /** Those whose words the index does not have: what runs, and what has ended since. */
  unworded(): readonly SearchedTask[];
  /** Those that are still there. */
  read(found: readonly (readonly [project: string, id: string])[]): SearchedTask[];
}

const TYPE = "task";
const ROLE = "tool";

/** Whether a filter lets tasks pass at all. */
export function mayBeTask({ role, tool, type }: MatchFilter): boolean {
  return tool === undefined && (role ?? ROLE) === ROLE && (type ?? TYPE) === TYPE;
}

export function passesTask(task: SearchedTask, { since }: MatchFilter, project: string | undefined): boolean {
  if (project !== undefined && pathBelow(project, task.cwd) === undefined) return false;
  return since === undefined || momentOf(task) >= since;
}

/** Looks through the texts of a task. */
export async function matchTask(task: SearchedTask, wanted: Wanted): Promise<Match | undefined> {
  const [blocks = []] = await redactBlocks([task.blocks()]);
  const score = withinTime(wanted, () => scorerOf(wanted)(searchedText(blocks)));
  return score === undefined ? undefined : { offset: 0, length: 0, at: momentOf(task), score };
}

export async function readTaskHit(task: SearchedTask, { score }: Match, wanted: Wanted): Promise<SearchHit> {
  const [blocks = []] = await redactBlocks([task.blocks()]);
  return {
    sessionId: task.sessionId ?? null,
    project: projectKey(task.cwd),
    cwd: task.cwd,
    uuid: null,
    agentId: null,
    taskId: task.taskId,
    role: ROLE,
    type: TYPE,
    timestamp: new Date(momentOf(task)).toISOString(),
    ...makeSnippet(searchedText(blocks), wanted),
    score: Math.round(score * 1000) / 1000,
    path: null,
  };
}

function momentOf({ startedAt, endedAt }: SearchedTask): number {
  return Date.parse(endedAt ?? startedAt);
}
