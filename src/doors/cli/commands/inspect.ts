import type { OutputFileFacts, Task, TaskDetails } from "../../../index.ts";
import { isEnded } from "../../../runtime/index.ts";
import { taskDetailsView } from "../../../runtime/views/task-details-view.ts";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import { agentFacts } from "../agents/agent-facts.ts";
import type { ClientAgent } from "../../../agents/client-agent.ts";
import { clientAgentView } from "../../../runtime/views/client-agent-view.ts";
import type { Command, CommandContext } from "../command.ts";
import { formatBytes, formatDuration, formatMoment, formatTokens, plural } from "../../../lib/quantities.ts";
import { endingText, statusText } from "../tasks/status-text.ts";
import { readableArgument } from "../tasks/task-argument.ts";
import { findTaskOrAgent } from "../tasks/task-or-agent.ts";
import { runtimeText } from "../tasks/task-table.ts";

export const command: Command = {
  arguments: [{ ...readableArgument, pick: "task" }],
  examples: [
    { line: "holdfast inspect @last", text: "everything that is known about the newest task" },
    { line: "holdfast inspect build --json", text: "for programs" },
    { line: "holdfast inspect b3kd", text: "by the beginning of its id" },
  ],
  async run(context, { arguments: [id = ""] }) {
    const runtime = await context.runtime();
    const { tasks } = runtime;
    const found = await findTaskOrAgent(runtime, id);
    if (found.kind === "agent") {
      if (context.isJson) return context.writeJson(clientAgentView(found.agent));
      return writeFacts(context, clientAgentFacts(found.agent));
    }
    const { task } = found;
    const details = await tasks.inspect(task);
    if (context.isJson) return context.writeJson(taskDetailsView(task, details));
    return writeFacts(context, factsOf(task, details));
  },
};

async function writeFacts(context: CommandContext, named: Record<string, string | undefined>): Promise<void> {
  const { style } = context.environment.stdout;
  const facts = Object.entries(named);
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) {
    if (text === undefined) continue;
    // What has several lines keeps them, below each other.
    const [first = "", ...more] = terminalText(text).split("\n");
    const lines = [
      `${style.dim(name.padEnd(width))}  ${first}`,
      ...more.map((line) => " ".repeat(width + 2) + line),
    ];
    await context.output.write(`${lines.join("\n")}\n`);
  }
}

function goneText(path: string): string {
  return path === "" ? "gone" : `gone; what it answered is in ${path}`;
}

// No task of ours: no supervisor, no notice, and no ending but what its transcript says.
function clientAgentFacts({ session, ...agent }: ClientAgent): Record<string, string | undefined> {
  const { status, totalDurationMs, totalTokens, totalToolUseCount } = agent.output;
  return {
    id: agent.agentId,
    status,
    "run by": "the client",
    type: agent.agentType ?? undefined,
    description: agent.description ?? undefined,
    prompt: agent.prompt === "" ? undefined : agent.prompt,
    "working dir": agent.cwd ?? undefined,
    session: session.sessionId,
    started: agent.startedAt === null ? undefined : formatMoment(agent.startedAt),
    "last said": agent.updatedAt === null ? undefined : formatMoment(agent.updatedAt),
    runtime: totalDurationMs > 0 ? formatDuration(totalDurationMs) : undefined,
    progress: `${formatTokens(totalTokens)} tokens, ${plural(totalToolUseCount, "tool use")}`,
    ending: agent.output.error,
    transcript: agent.hasConversation ? session.path : goneText(session.path),
  };
}

function factsOf(task: Task, details: TaskDetails): Record<string, string | undefined> {
  const { record, state } = task;
  const { launcher } = record;
  const { notice, outputs } = details;
  return {
    id: record.id,
    name: record.name,
    status: isEnded(state) ? endingText(state) : statusText(state),
    survivors: state.status === "running" && state.survivors ? survivorsText(state.survivors) : undefined,
    unseen: state.status === "running" && state.unseen ? unseenText(state.unseen) : undefined,
    ...(record.agent ? agentFacts(record.id, record.agent, details) : { command: record.command }),
    ...(record.remote && {
      fleet: `session ${record.remote.sessionId}\nIts log: holdfast fleet show ${record.remote.sessionId}\nBring it home: holdfast teleport ${record.id}`,
    }),
    description: [record.command, record.agent?.prompt].includes(record.description)
      ? undefined
      : terminalLine(record.description),
    "working dir": record.cwd,
    session: record.sessionId,
    restarts: record.restarts,
    started: formatMoment(record.startedAt),
    ended: isEnded(state) ? formatMoment(state.endedAt) : undefined,
    runtime: runtimeText(details.listed, new Date()) || undefined,
    supervisor: state.status === "running" && state.pid !== undefined ? `pid ${state.pid}` : undefined,
    output: outputs.stdout && fileText(outputs.stdout),
    stderr: outputs.stderr && fileText(outputs.stderr),
    record: details.recordFile,
    settings: record.agent ? undefined : settingsText(task),
    launcher: `pid ${launcher.pid} on ${launcher.host}`,
    retained: details.isRetained ? "until it is removed" : undefined,
    notice: notice ? (notice.status === "consumed" ? `told to ${notice.by}` : notice.status) : undefined,
  };
}

function survivorsText({ exitCode, pids }: { exitCode: number; pids: number[] }): string {
  return `the command ended with ${exitCode}; pid ${pids.join(", ")} of it still runs`;
}

function unseenText({ host, lastBeatAt }: { host: string; lastBeatAt?: string }): string {
  const sign = lastBeatAt === undefined ? "none yet" : formatMoment(lastBeatAt);
  return `it runs on ${host}, out of sight from here; last sign of life: ${sign}`;
}

function fileText({ path, bytes }: OutputFileFacts): string {
  return `${path} (${bytes === undefined ? "removed" : formatBytes(bytes)})`;
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
    waitsFor ? `waits for ${waitsFor.bases.length || "a place"}` : "",
  ]
    .filter((text) => text !== "")
    .join(", ");
}
