import fs from "node:fs";
import { shellQuote } from "../../lib/shell-quote.ts";
import { writeEnding } from "../../tasks/record/write-ending.ts";
import { ownProgram } from "../../tasks/supervise/own-program.ts";
import { superviseTask } from "../../tasks/supervise/launch-task.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
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
  { permission }: { permission: PermissionPolicy },
): Promise<void> {
  try {
    await tellInterrupted(context, { record, files });
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
