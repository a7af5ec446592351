import { configPaths, projectKey as projectKeyOf } from "../../format/paths.ts";
import { shellQuote } from "../../lib/shell-quote.ts";
import { launchTask } from "../../tasks/supervise/launch-task.ts";
import { launchedWork } from "../../tasks/record/launched-work.ts";
import { newTaskFiles } from "../../tasks/record/new-task-files.ts";
import { ownProgram } from "../../tasks/supervise/own-program.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";
import { defaultAgentType, type AgentRequest } from "../../agents/launch/agent-request.ts";
import type { AgentSettings, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import {
  agentRecord,
  hostOutput,
  plainSupervision,
  promptPreview,
  type AgentLaunchContext,
} from "../../agents/launch/launch-agent.ts";
import { logAddress, type RemoteSettings } from "../../tasks/kinds/remote/remote-settings.ts";
import { withoutSecrets, type FleetAddress } from "../transport/connection.ts";

/** A run on the fleet to be followed here. */
export interface RemoteRequest extends Omit<AgentRequest, "runner" | "after" | "queue" | "parentTaskId"> {
  runner: RunnerSpec;
  remote: RemoteSettings;
  /** The project that the transcript is filed under; the folder's own when absent. */
  projectKey?: string | undefined;
}

/**
 * Starts to follow a run that was dispatched: its record, then a process of its own that mirrors the log into a transcript
 * here. When this returns, it goes on whatever becomes of this process; when it throws, nothing is left here.
 */
export async function launchRemote(
  context: AgentLaunchContext,
  request: RemoteRequest,
): Promise<{ record: TaskRecord; files: TaskFiles }> {
  const files = newTaskFiles(context.home, { cwd: request.cwd, kind: "remote" });
  const record = recordOf(context, request, files.id);
  await launchTask(context, {
    record,
    files,
    supervised: {
      shell: "/bin/sh",
      command: keptUp(ownProgram(context.programs.fleetFollower, files, context)),
    },
    env: () => request.env ?? {},
    ...hostOutput(files, record.agent!),
  });
  return { record, files };
}

/** How a run is recorded here: where its follower finds it, without secrets. */
export function remoteSettings(
  address: FleetAddress,
  { sessionId, run }: Pick<RemoteSettings, "sessionId" | "run">,
): RemoteSettings {
  const servers = address.servers.map(withoutSecrets);
  return { sessionId, run, url: logAddress(sessionId), address: { ...address, servers } };
}

// One that is killed is started again: the run goes on elsewhere, and has an ending only when its log says so. Asked to
// end, it stays ended.
function keptUp(words: string[]): string {
  const follow = words.map(shellQuote).join(" ");
  return `trap 'exit 143' TERM; while :; do ${follow}; code=$?; [ $code -gt 128 ] && [ $code -ne 143 ] || exit $code; sleep 1; done`;
}

function recordOf(context: AgentLaunchContext, request: RemoteRequest, id: string): TaskRecord {
  const { cwd, prompt, remote, model } = request;
  const { sessionId } = remote;
  const projectKey = request.projectKey ?? projectKeyOf(cwd);
  const agent: AgentSettings = {
    agentId: id,
    transcript: { path: configPaths(context.configDir).transcriptPath({ projectKey, sessionId }), sessionId },
    type: request.type ?? defaultAgentType,
    runner: request.runner,
    ...(model !== undefined && { model }),
    prompt: promptPreview(prompt),
    permission: request.permission ?? "ask",
    limits: request.limits ?? {},
    depth: 1,
  };
  const kind = "remote_agent";
  const work = launchedWork({ kind, text: prompt, cwd });
  return {
    ...agentRecord(context, request, { id, kind, where: "fleet", shell: plainSupervision, agent, work }),
    remote,
  };
}
