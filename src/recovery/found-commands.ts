import fs from "node:fs";
import path from "node:path";
import { isSafeName, projectKey } from "../format/paths.ts";
import { lookAtProcesses } from "../lib/process-table.ts";
import { namesIn } from "../lib/names-in.ts";
import { listClientProcesses } from "../store/write/client-processes.ts";
import { isOld, modifiedAt } from "./found-files.ts";
import type { LookingOptions } from "./looking-options.ts";
import { recoveredLaunchesMax } from "./limits.ts";
import { endedShell } from "./look-at-shell.ts";
import type { RecoveredItem } from "./recovered-item.ts";

// `<tmp>/claude-<uid>/<project>/<session>/tasks/<id>.output`
const CLIENT_OUTPUT = /\/claude-\d+\/([^/]+)\/([^/]+)\/tasks\/(b[0-9a-z]+)\.output$/;

/** Commands by their output files: those that a process has open, and of the session that asks also those that are over. */
export function findCommands(options: LookingOptions): RecoveredItem[] {
  const running = runningCommands(options);
  const ids = new Set(running.map(({ id }) => id));
  return [...running, ...endedCommands(options).filter(({ id }) => !ids.has(id))];
}

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
        ...commandOf(file, { id, sessionId, cwd }),
        description: command.slice(0, 80),
        prompt: command.slice(0, 200),
        status: "running",
        pids: [...pids],
        knownBy: [`open output file of pid ${pids.join(", ")}`],
        isUnseen: false,
      },
    ];
  });
}

// What it was is nowhere: its words were those of a process that is gone.
function endedCommands(options: LookingOptions): RecoveredItem[] {
  const { projectDir, sessionId, tempDirs, openOutputs, configDir, clock, known } = options;
  if (projectDir === undefined || sessionId === undefined || !isSafeName(sessionId)) return [];
  const client = listClientProcesses(configDir).find((each) => each.sessionId === sessionId);
  const below = path.join(`claude-${process.getuid?.() ?? 0}`, projectKey(projectDir), sessionId, "tasks");
  const files = new Map(
    tempDirs.flatMap((dir) => {
      const tasks = path.join(dir, below);
      return namesIn(tasks).flatMap((name): [string, string][] => {
        const id = /^(b[0-9a-z]+)\.output$/.exec(name)?.[1];
        return id === undefined || known.has(id) ? [] : [[id, path.join(tasks, name)]];
      });
    }),
  );
  return [...files].slice(-recoveredLaunchesMax).flatMap(([id, file]): RecoveredItem[] => {
    const writtenAt = modifiedAt(file);
    // The client that has the session open runs what began after it, and tells its end.
    const isOfClient = client !== undefined && bornAt(file) >= client.startedAt;
    if (isOfClient || isOld(writtenAt, clock) || openOutputs.holders(file).length > 0) return [];
    const look = endedShell(file, openOutputs);
    return [{ ...commandOf(file, { id, sessionId, cwd: projectDir }), ...look, isUnseen: true }];
  });
}

function commandOf(
  file: string,
  { id, sessionId, cwd }: { id: string; sessionId: string; cwd: string },
): Omit<RecoveredItem, "status" | "knownBy" | "isUnseen"> {
  return {
    id,
    kind: "local_bash",
    owner: "client",
    description: "",
    prompt: "",
    cwd,
    sessionId,
    startedAt: new Date(bornAt(file)).toISOString(),
    outputFile: file,
    fingerprint: "",
    seenBy: [],
  };
}

function bornAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now();
}
