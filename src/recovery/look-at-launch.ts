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
  const look = lookOf(item, context);
  if (look === undefined) return undefined;
  const { subagent_type: type } = item.launch;
  return {
    ...itemOf(item, look),
    ...(type !== "shell" && type !== "" && { agentType: type }),
    knownBy: ["manifest", ...look.knownBy],
  };
}

/** A launch, and what a look at it said. */
export function itemOf(
  { launch, seenBy }: Pick<ManifestItem, "launch" | "seenBy">,
  look: Look,
): RecoveredItem {
  return {
    id: launch.agent_id,
    kind: launch.kind,
    owner: launch.source === "holdfast" ? "holdfast" : "client",
    description: launch.description,
    prompt: launch.prompt_preview,
    cwd: launch.cwd,
    ...(launch.session_id !== "" && { sessionId: launch.session_id }),
    startedAt: launch.timestamp,
    ...(launch.output_file !== "" && { outputFile: launch.output_file }),
    fingerprint: launch.fingerprint,
    isUnseen: seenBy.length === 0,
    ...look,
    seenBy: [...seenBy, ...(look.seenBy ?? [])],
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
