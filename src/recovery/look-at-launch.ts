import { lookAtAgent } from "./look-at-agent.ts";
import { lookAtOwn } from "./look-at-own.ts";
import { lookAtShell } from "./look-at-shell.ts";
import type { ManifestItem } from "./read-manifest.ts";
import type { OpenOutputs } from "./open-outputs.ts";
import type { Look, RecoveredItem } from "./recovered-item.ts";

export interface LookContext {
  home: string;
  /** Looks at the processes of the machine when it is first asked, then remembers. */
  openOutputs: () => OpenOutputs;
}

/** What has become of a launch; undefined when nothing of it is left (a task of Holdfast that was removed). */
export function lookAtLaunch(item: ManifestItem, context: LookContext): RecoveredItem | undefined {
  const { launch, seenBy } = item;
  const look = lookOf(item, context);
  if (look === undefined) return undefined;
  return {
    id: launch.agent_id,
    kind: launch.kind,
    owner: launch.source === "holdfast" ? "holdfast" : "client",
    description: launch.description,
    prompt: launch.prompt_preview,
    ...(launch.subagent_type !== "shell" &&
      launch.subagent_type !== "" && { agentType: launch.subagent_type }),
    cwd: launch.cwd,
    ...(launch.session_id !== "" && { sessionId: launch.session_id }),
    startedAt: launch.timestamp,
    ...(launch.output_file !== "" && { outputFile: launch.output_file }),
    fingerprint: launch.fingerprint,
    seenBy,
    isUnseen: seenBy.length === 0,
    ...look,
    knownBy: ["manifest", ...look.knownBy],
  };
}

function lookOf({ launch, end }: ManifestItem, context: LookContext): Look | undefined {
  if (launch.source === "holdfast") return lookAtOwn(context.home, launch);
  if (end !== undefined) {
    return {
      status: end.status,
      endedAt: end.timestamp,
      ...(end.result !== undefined && { result: end.result }),
      ...(end.summary !== undefined && { detail: end.summary }),
      knownBy: ["its ending in the manifest"],
    };
  }
  return launch.kind === "local_bash" ? lookAtShell(launch, context.openOutputs) : lookAtAgent(launch);
}
