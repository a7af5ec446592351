import fs from "node:fs";
import path from "node:path";
import { holdfastPaths, isSafeName } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { namesIn } from "../../lib/names-in.ts";
import { ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { readJson } from "../../lib/read-json.ts";
import { isJsonObject } from "../../format/json-object.ts";

/**
 * That a query went on without its session's transcript: what it says waits in a transcript of its own until somebody who
 * may write the session appends it there (docs/format.md, "Owed answers").
 */
export interface OwedAnswer {
  schemaVersion: 1;
  sessionId: string;
  agentId: string;
  /** Where it was when the query left; it lies beside the session, and moves with it. */
  transcript: string;
  /** The entry of that transcript behind which the session does not have it; null when it has nothing of it. */
  after: string | null;
  /** Whoever answers: as long as it runs, more will come. */
  task: { projectKey: string; id: string };
  /** Who began it: without a task, as long as this process lives it may still start. */
  by: ProcessIdentity;
  at: string;
}

/** What the task was found to be, by whoever knows tasks; undefined when there is none. */
export type AskIfOver = (task: OwedAnswer["task"]) => Promise<boolean | undefined>;

/** Whether nothing more will come. */
export async function isOver({ task, by }: OwedAnswer, ask: AskIfOver): Promise<boolean> {
  return (await ask(task)) ?? livenessOf(by) === "dead";
}

/** Writes it down, synced, in place of an earlier one of the same agent. */
export function writeOwed(home: string, given: Omit<OwedAnswer, "schemaVersion" | "by">): void {
  const owed: OwedAnswer = { schemaVersion: 1, ...given, by: currentProcess() };
  const dir = holdfastPaths(home).owedDir(owed.sessionId);
  ensurePrivateDir(dir, undefined, 2);
  writeFileAtomic(fileIn(dir, owed.agentId), `${JSON.stringify(owed)}\n`);
}

/** Nothing is owed any more. */
export function removeOwed(
  home: string,
  { sessionId, agentId }: Pick<OwedAnswer, "sessionId" | "agentId">,
): void {
  const dir = holdfastPaths(home).owedDir(sessionId);
  fs.rmSync(fileIn(dir, agentId), { force: true });
  try {
    syncDir(dir);
    fs.rmdirSync(dir);
  } catch {
    /* Others owe something, too, or just began to. */
  }
}

/** What one agent owes; undefined when it is nothing. */
export function readOwed(
  home: string,
  { sessionId, agentId }: Pick<OwedAnswer, "sessionId" | "agentId">,
): OwedAnswer | undefined {
  return listOwed(home, sessionId).find((owed) => owed.agentId === agentId);
}

/** What is owed to a session, what left first at the beginning. For most sessions a look at a folder that is not there. */
export function listOwed(home: string, sessionId: string): OwedAnswer[] {
  return notesOf(home, sessionId)
    .flatMap(({ owed }) => owed ?? [])
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** A note of what is owed that says nothing that can be used: its file, and whom and what it is named after. */
export interface DamagedNote {
  path: string;
  sessionId: string;
  agentId: string;
}

/** The notes of a session that no reader can use; `doctor` names them. */
export function listDamagedOwed(home: string, sessionId: string): DamagedNote[] {
  return notesOf(home, sessionId).flatMap(({ owed, path: file, agentId }) =>
    owed ? [] : [{ path: file, sessionId, agentId }],
  );
}

function notesOf(home: string, sessionId: string): (DamagedNote & { owed: OwedAnswer | undefined })[] {
  if (!isSafeName(sessionId)) return [];
  const dir = holdfastPaths(home).owedDir(sessionId);
  return namesIn(dir).flatMap((name) => {
    if (!name.endsWith(".json") || name.startsWith(".")) return [];
    const [file, agentId] = [path.join(dir, name), name.slice(0, -".json".length)];
    const read = readJson(file);
    // Its name is what it is removed by.
    const isUsable = isOwed(read) && read.sessionId === sessionId && read.agentId === agentId;
    // Paid by somebody else just now.
    if (!isUsable && !fs.existsSync(file)) return [];
    return [{ path: file, sessionId, agentId, owed: isUsable ? read : undefined }];
  });
}

function isOwed(value: unknown): value is OwedAnswer {
  if (!isJsonObject(value) || value["schemaVersion"] !== 1 || !isJsonObject(value["task"])) return false;
  const { after, task, by } = value;
  const texts = [
    value["sessionId"],
    value["agentId"],
    value["transcript"],
    value["at"],
    task["projectKey"],
    task["id"],
  ];
  return (
    texts.every((text) => typeof text === "string") &&
    (after === null || typeof after === "string") &&
    isJsonObject(by)
  );
}

/** The sessions to which something is owed. */
export function listOwedSessions(home: string): string[] {
  return namesIn(path.dirname(holdfastPaths(home).owedDir("any"))).filter(isSafeName);
}

function fileIn(dir: string, agentId: string): string {
  if (isSafeName(agentId)) return path.join(dir, `${agentId}.json`);
  throw new RangeError(`Cannot use ${JSON.stringify(agentId)} in a path: not a single file name`);
}
