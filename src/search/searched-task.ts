import { projectKey, projectKeyMatches } from "../format/paths.ts";
import { searchedText } from "./entry-document.ts";
import { indexForm } from "./index-form.ts";
import { makeSnippet } from "./make-snippet.ts";
import type { SearchHit } from "./read-hit.ts";
import { redactBlocks } from "./redact-documents.ts";
import { scorerOf, type Match, type MatchFilter, type Wanted } from "./scan-matches.ts";
import type { SearchDatabase } from "./search-database.ts";

/** A background task, as far as it can be found: what it was to do, and the end of what it printed. */
export interface SearchedTask {
  taskId: string;
  cwd: string;
  sessionId: string | undefined;
  startedAt: string;
  /** Absent while it runs: then it is not taken into the index, because it says more. */
  endedAt: string | undefined;
  /** Its texts, read when they are needed. */
  blocks: () => string[];
}

/** The name under which the index keeps a task. No transcript has such a path. */
export function taskPath({ taskId }: SearchedTask): string {
  return `${TASK_PREFIX}${taskId}`;
}

export function isTaskPath(path: string): boolean {
  return path.startsWith(TASK_PREFIX);
}

const TASK_PREFIX = "task:";
const TYPE = "task";
const ROLE = "tool";

export function passesTask(
  task: SearchedTask,
  { since, role, tool, type }: MatchFilter,
  cwd: string | undefined,
): boolean {
  if (tool !== undefined || (role !== undefined && role !== ROLE) || (type !== undefined && type !== TYPE))
    return false;
  if (cwd !== undefined && !projectKeyMatches(projectKey(task.cwd), cwd)) return false;
  return since === undefined || momentOf(task) >= since;
}

/** Looks through the texts of a task. */
export async function matchTask(task: SearchedTask, wanted: Wanted): Promise<Match | undefined> {
  const [blocks = []] = await redactBlocks([task.blocks()]);
  const score = scorerOf(wanted)(searchedText(blocks));
  return score === undefined ? undefined : { offset: 0, length: 0, at: momentOf(task), score };
}

/** Takes an ended task into the index. */
export async function addTask(database: SearchDatabase, task: SearchedTask): Promise<void> {
  const [blocks = []] = await redactBlocks([task.blocks()]);
  database.transaction(() => {
    const id = database.fileId(taskPath(task));
    const form = indexForm(searchedText(blocks));
    database.addDocument(id, {
      offset: 0,
      length: 0,
      at: momentOf(task),
      role: ROLE,
      type: TYPE,
      tools: "",
      ...form,
    });
  });
}

export async function readTaskHit(task: SearchedTask, { score }: Match, wanted: Wanted): Promise<SearchHit> {
  const [blocks = []] = await redactBlocks([task.blocks()]);
  return {
    sessionId: task.sessionId ?? null,
    project: projectKey(task.cwd),
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
