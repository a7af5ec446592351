import fs from "node:fs";
import { projectKey } from "../../src/format/paths.ts";
import { currentProcess, startTimeOf } from "../../src/lib/process-identity.ts";
import { leaveRunning } from "../../src/tasks/record/running-tasks.ts";
import { prepareFolders, taskFiles, type TaskFiles } from "../../src/tasks/record/task-files.ts";
import type { TaskRecord } from "../../src/tasks/record/task-record.ts";

export interface EndedTaskOptions {
  id: string;
  /** It started so many seconds after all times that tests know. */
  second: number;
  cwd?: string;
  name?: string;
  sessionId?: string;
  exitCode?: number;
  muted?: boolean;
  told?: boolean;
  printed?: string;
  /** As an older Holdfast leaves it, which has no folder ended/. */
  isOlder?: boolean;
}

/** The files of a task that has ended, as if it had been run. */
export function writeEndedTask(home: string, options: EndedTaskOptions): TaskFiles {
  const { exitCode = 0, told, isOlder } = options;
  const { files, startedAt } = writeRecord(home, options);
  fs.writeFileSync(files.run, JSON.stringify({ ...currentProcess(), pid: 0 }));
  fs.writeFileSync(files.ending, JSON.stringify({ schemaVersion: 1, exitCode, reason: "exit" }).padEnd(256));
  fs.utimesSync(files.ending, startedAt.getTime() / 1000 + 1, startedAt.getTime() / 1000 + 1);
  if (told) fs.writeFileSync(files.noticeConsumed, "{}");
  if (!isOlder) leaveRunning(files);
  return files;
}

/** The files of a task that runs as long as this process does, its supervisor, or until it has an ending. */
export function writeSupervisedTask(home: string, options: EndedTaskOptions, supervisor: number): TaskFiles {
  const { files } = writeRecord(home, options);
  const { bootId } = currentProcess();
  fs.writeFileSync(files.endingDraft, "".padEnd(256));
  fs.writeFileSync(
    files.run,
    JSON.stringify({ pid: supervisor, startTime: startTimeOf(supervisor), bootId }),
  );
  return files;
}

function writeRecord(home: string, options: EndedTaskOptions): { files: TaskFiles; startedAt: Date } {
  const { id, second, cwd = "/project", name, sessionId, muted, printed = "" } = options;
  const files = taskFiles(home, { projectKey: projectKey(cwd), id });
  const startedAt = new Date(Date.UTC(2026, 0, 1) + second * 1000);
  const record: TaskRecord = {
    schemaVersion: 1,
    id,
    kind: "local_bash",
    ...(name !== undefined && { name }),
    ...(sessionId !== undefined && { sessionId }),
    description: `task ${id}`,
    command: "true",
    cwd,
    startedAt: startedAt.toISOString(),
    launcher: currentProcess(),
    ...(muted && { muted }),
    shell: {
      shell: "/bin/sh",
      merged: false,
      tty: false,
      sandbox: false,
      stdin: false,
      outputBytesMax: 1,
      keepTail: false,
    },
  };
  prepareFolders(files);
  fs.writeFileSync(files.output, printed);
  fs.writeFileSync(files.stderr, "");
  fs.writeFileSync(files.record, JSON.stringify(record));
  return { files, startedAt };
}
