import fs from "node:fs";
import type { Clock } from "../lib/clock.ts";
import { holdfastPaths, isSafeName, projectKey } from "../format/paths.ts";
import { confirmNotice } from "../tasks/notices/confirm.ts";
import { readTask } from "../tasks/record/task.ts";
import { taskFiles } from "../tasks/record/task-files.ts";
import { appendManifest } from "./append-manifest.ts";
import { launchTexts, type LaunchLine, type SeenLine } from "./manifest-line.ts";
import { readManifest } from "./read-manifest.ts";
import { namedWork } from "./same-work.ts";
import type { RecoveredItem } from "./recovered-item.ts";

/** An ending, and the session that was told of it. */
export interface ToldItem {
  item: RecoveredItem;
  by: string;
}

export interface ToldPlace {
  home: string;
  projectDir: string;
  clock: Clock;
}

// What was found by looking has no line yet, and what was told of what has none would be forgotten.
function launchOfFound(item: RecoveredItem): LaunchLine {
  const isShell = item.kind === "local_bash";
  return {
    timestamp: item.startedAt,
    agent_id: item.id,
    subagent_type: isShell ? "shell" : (item.agentType ?? ""),
    ...launchTexts(item),
    output_file: item.outputFile ?? "",
    session_id: item.sessionId ?? "",
    cwd: item.cwd,
    status: "launched",
    kind: isShell ? "local_bash" : "local_agent",
    ...namedWork(item),
    source: "hook",
    ...(!isShell && item.outputFile !== undefined && { transcript: item.outputFile }),
  };
}

/** Records that these endings have arrived, for good: by a `seen` line, and by the notice of a task of Holdfast. */
export async function markTold(told: readonly ToldItem[], place: ToldPlace): Promise<void> {
  const { home, projectDir, clock } = place;
  if (told.length === 0) return;
  const now = clock.now();
  for (const { item, by } of told) {
    if (item.owner !== "holdfast" || !isSafeName(item.id)) continue;
    const task = readTask(taskFiles(home, { projectKey: projectKey(item.cwd), id: item.id }));
    if (task) confirmNotice(task, { by, sessionId: by, clock });
  }
  const lines = told.map(({ item: { id, cwd }, by }): SeenLine => ({
    timestamp: now.toISOString(),
    agent_id: id,
    session_id: by,
    cwd,
    status: "seen",
    source: "hook",
  }));
  const known = new Set(readManifest(home, projectKey(projectDir)).map(({ launch }) => launch.agent_id));
  const found = told.filter(({ item }) => item.owner === "client" && !known.has(item.id));
  await appendManifest({ home, projectDirs: [projectDir], now }, [
    ...found.map(({ item }) => launchOfFound(item)),
    ...lines,
  ]);
  for (const { item } of told)
    if (isSafeName(item.id)) fs.rmSync(holdfastPaths(home).offerPath(item.id), { force: true });
}
