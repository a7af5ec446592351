import fs from "node:fs";
import { shellQuote } from "../../lib/shell-quote.ts";
import { writeEnding } from "../../tasks/record/write-ending.ts";
import { ownProgram } from "../../tasks/supervise/own-program.ts";
import { superviseTask } from "../../tasks/supervise/launch-task.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import { ledgerFile } from "../host/ledger-file.ts";
import { readProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import { readAllowed, writeAllowed } from "../../tasks/kinds/agent/permission-answer.ts";
import { readContext } from "../host/agent-writer.ts";
import type { AgentTask } from "../host/host-local-agent.ts";
import { openTranscript, transcriptOf } from "./agent-transcript.ts";
import type { AgentLaunchContext } from "./launch-agent.ts";
import { readConversationEnd } from "./prompt-entries.ts";

/**
 * Starts a supervised host for an agent that ran in this process, which has ended its part and written no ending: the same
 * task goes on under the same id. From the moment `.run` is removed until the supervisor names itself there the task is
 * one that is about to start, so if this process dies in between it runs, or is lost. When this throws, the task has ended.
 */
export async function giveOwnProcess(
  context: AgentLaunchContext,
  { record, files }: AgentTask,
  { permission, allowed }: { permission: PermissionPolicy; allowed: readonly string[] },
): Promise<void> {
  try {
    await tellInterrupted(context, { record, files });
    bringAlong({ record, files }, allowed);
    const words = [...ownProgram(context.programs.agentHost, files, context), permission];
    fs.rmSync(files.run);
    await superviseTask(context, {
      record,
      files,
      supervised: { shell: "/bin/sh", command: `exec ${words.map(shellQuote).join(" ")}` },
      env: () => ({}),
      streams: { stdout: files.stderr, stderr: files.stderr },
    });
  } catch (error) {
    writeEnding(files, { exitCode: 1, reason: "exit" });
    throw error;
  }
}

// What it has used of its limits stays used, and what somebody allowed it for good stays allowed.
function bringAlong({ record, files }: AgentTask, allowed: readonly string[]): void {
  const { agentId, budget } = record.agent;
  const before = readProgress(files);
  if (before && budget !== undefined) {
    const { turns, tokens, costUsd = 0 } = before;
    ledgerFile(budget).append({ request: agentId, turns, tokens, costUsd });
  }
  const all = new Set([...readAllowed(files), ...allowed]);
  if (all.size > 0) writeAllowed(files, [...all]);
}

// Nobody knows whether they ran, so nobody may run them again unasked.
async function tellInterrupted(context: AgentLaunchContext, { record, files }: AgentTask): Promise<void> {
  const transcript = transcriptOf(files, record.agent);
  const writer = await openTranscript(context, { transcript, cwd: record.cwd, durability: "sync" });
  try {
    const { interrupted } = readConversationEnd(await readContext(transcript));
    for (const draft of interrupted) await writer.append(draft);
  } finally {
    await writer.close();
  }
}
