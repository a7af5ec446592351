import fs from "node:fs";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import { readJson } from "../../../lib/read-json.ts";
import { teleportCommand } from "../../../tasks/kinds/remote/remote-settings.ts";
import { listedTask } from "../../../tasks/list/listed-task.ts";
import type { Task } from "../../../tasks/record/task.ts";
import { isEnded } from "../../../tasks/record/task-state.ts";
import { agentFacts } from "../agents/agent-facts.ts";
import type { Command } from "../command.ts";
import { formatBytes, formatDuration, formatMoment } from "../../../lib/quantities.ts";
import { endingText, statusText } from "../tasks/status-text.ts";
import { taskArgument } from "../tasks/task-argument.ts";
import { taskJson } from "../tasks/task-json.ts";
import { runtimeText } from "../tasks/task-table.ts";

export const command: Command = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast inspect @last", text: "everything that is known of the newest task" },
    { line: "holdfast inspect build --json", text: "for programs" },
    { line: "holdfast inspect b3kd", text: "by the beginning of its id" },
  ],
  async run(context, { arguments: [id = ""] }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    if (context.isJson) return context.writeJson(inspectJson(task));
    const { style } = context.environment.stdout;
    const facts = Object.entries(factsOf(task));
    const width = Math.max(...facts.map(([name]) => name.length));
    for (const [name, text] of facts) {
      if (text === undefined) continue;
      // What has several lines keeps them, below each other.
      const [first = "", ...more] = text.split("\n").map(terminalText);
      const lines = [
        `${style.dim(name.padEnd(width))}  ${first}`,
        ...more.map((line) => " ".repeat(width + 2) + line),
      ];
      await context.output.write(`${lines.join("\n")}\n`);
    }
  },
};

function inspectJson(task: Task): Record<string, unknown> {
  const { record, files } = task;
  const { shell, launcher, toolUseId } = record;
  return {
    ...taskJson(task),
    toolUseId: toolUseId ?? null,
    stderrFile: shell.merged ? null : files.stderr,
    recordFile: files.record,
    settings: shell,
    launcher: { pid: launcher.pid, host: launcher.host },
    notice: noticeOf(task),
  };
}

/** What became of the news of its ending; null while it has none. */
function noticeOf({ record, files, state }: Task): { status: string; by?: string; at?: string } | null {
  const consumed = readJson(files.noticeConsumed) as { by: string; at: string } | undefined;
  if (consumed) return { status: "consumed", by: consumed.by, at: consumed.at };
  if (record.muted || fs.existsSync(files.noticeMuted)) return { status: "muted" };
  return isEnded(state) ? { status: "queued" } : null;
}

function factsOf(task: Task): Record<string, string | undefined> {
  const { record, files, state } = task;
  const { shell, launcher } = record;
  const notice = noticeOf(task);
  return {
    id: record.id,
    name: record.name,
    status: isEnded(state) ? endingText(state) : statusText(state),
    survivors: state.status === "running" && state.survivors ? survivorsText(state.survivors) : undefined,
    ...(record.agent ? agentFacts(record.agent, files) : { command: record.command }),
    ...(record.remote && {
      fleet: `session ${record.remote.sessionId}\nIts log: holdfast fleet show ${record.remote.sessionId}\nBring it home: ${teleportCommand(record.id)}`,
    }),
    description: [record.command, record.agent?.prompt].includes(record.description)
      ? undefined
      : terminalLine(record.description),
    "working dir": record.cwd,
    session: record.sessionId,
    started: formatMoment(record.startedAt),
    ended: isEnded(state) ? formatMoment(state.endedAt) : undefined,
    runtime: runtimeText(listedTask(task), new Date()) || undefined,
    supervisor: state.status === "running" && state.pid !== undefined ? `pid ${state.pid}` : undefined,
    output: fileText(files.output),
    stderr: shell.merged ? undefined : fileText(files.stderr),
    record: files.record,
    settings: record.agent ? undefined : settingsText(task),
    launcher: `pid ${launcher.pid} on ${launcher.host}`,
    notice: notice ? [notice.status, notice.by && `by ${notice.by}`].filter(Boolean).join(" ") : undefined,
  };
}

function survivorsText({ exitCode, pids }: { exitCode: number; pids: number[] }): string {
  return `the command ended with ${exitCode}; pid ${pids.join(", ")} of it still runs`;
}

function fileText(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return `${file} (${stat ? formatBytes(stat.size) : "removed"})`;
}

function settingsText({ record: { shell } }: Task): string {
  const { timeoutMs, outputBytesMax, niceness, waitsFor } = shell;
  const switches = (["merged", "tty", "stdin", "sandbox", "keepTail"] as const).filter((name) => shell[name]);
  return [
    shell.shell,
    ...switches,
    timeoutMs === undefined ? "" : `timeout ${formatDuration(timeoutMs)}`,
    `output limit ${formatBytes(outputBytesMax)}`,
    niceness === undefined ? "" : `niceness ${niceness}`,
    waitsFor ? `waits for ${waitsFor.bases.length}` : "",
  ]
    .filter((text) => text !== "")
    .join(", ");
}
