import type { RecordedAgent } from "../agents/read-client-agent.ts";
import { isThere } from "../lib/private-dir.ts";
import { findAgentLaunch } from "../recovery/find-agent-launch.ts";
import type { RecoverOptions } from "../recovery/recover-options.ts";
import type { RecoveredItem } from "../recovery/recovered-item.ts";
import { projectKey } from "../format/paths.ts";
import { noUsage } from "../tasks/kinds/agent/agent-progress.ts";

/** An agent of a client as a manifest knows it: the beginning of its prompt, how it ended, the beginning of its answer. */
export function findRecordedAgent(
  options: Pick<RecoverOptions, "home" | "configDir" | "clock">,
  id: string,
): RecordedAgent | undefined {
  const { item, transcript } = findAgentLaunch(options, id) ?? {};
  if (!item) return undefined;
  const path = transcript !== undefined && isThere(transcript) ? transcript : undefined;
  return { agent: agentOf(item), transcript: path };
}

function agentOf(item: RecoveredItem): RecordedAgent["agent"] {
  const {
    id,
    cwd,
    sessionId = "",
    status,
    startedAt,
    endedAt = null,
    result,
    detail,
    outputFile = "",
  } = item;
  const spent = endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
  return {
    agentId: id,
    session: { sessionId, projectKey: projectKey(cwd), path: outputFile },
    hasConversation: false,
    agentType: item.agentType ?? null,
    description: item.description === "" ? null : item.description,
    prompt: item.prompt,
    cwd: cwd === "" ? null : cwd,
    startedAt,
    updatedAt: endedAt,
    output: {
      retrieval_status: status === "running" ? "not_ready" : "success",
      agentId: id,
      status,
      content: result === undefined ? [] : [{ type: "text", text: result }],
      totalDurationMs: Math.max(0, spent || 0),
      totalTokens: 0,
      totalToolUseCount: 0,
      usage: noUsage,
      ...(detail !== undefined && status !== "completed" && { error: detail }),
      outputFile,
    },
  };
}
