import fs from "node:fs";
import { lookAtClientEnding } from "./client-ending.ts";
import type { LookContext } from "./look-context.ts";
import { lookAtAgent } from "./look-at-agent.ts";
import { lookAtOwn } from "./look-at-own.ts";
import { lookAtShell } from "./look-at-shell.ts";
import { lookAtWorkflow } from "./look-at-workflow.ts";
import { namedWork } from "./same-work.ts";
import { WORKFLOW, type LaunchLine } from "./manifest-line.ts";
import type { ManifestItem } from "./read-manifest.ts";
import type { Look, RecoveredItem } from "./recovered-item.ts";

/** What has become of a launch; undefined when nothing of it is left (a task of Holdfast that was removed). */
export function lookAtLaunch(item: ManifestItem, context: LookContext): RecoveredItem | undefined {
  const look = lookOf(item, context);
  if (look === undefined) return undefined;
  const { subagent_type: type } = item.launch;
  return {
    ...itemOf(item, look),
    ...(type !== "shell" && type !== "" && { agentType: type }),
    ...(item.isRerun && { isRerun: true }),
    ...(isLeftToClient(item.launch, context) && { isLeftToClient: true }),
    knownBy: ["manifest", ...look.knownBy],
  };
}

function isLeftToClient({ source, client }: LaunchLine, { isClientAlive }: LookContext): boolean {
  return source === "hook" && client !== undefined && isClientAlive(client);
}

// Older lines have it only as a part of their client's identity.
function machineOf({ machine, client }: LaunchLine): { machine?: string } {
  const name = machine ?? client?.host;
  return name === undefined ? {} : { machine: name };
}

// What an agent prints is its transcript; the client's other name for it is in a temporary folder, which a reboot empties.
function outputOf({ kind, output_file: output, transcript = "" }: LaunchLine): string {
  return kind === "local_agent" && fs.existsSync(transcript) ? transcript : output;
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
    ...machineOf(launch),
    ...(launch.session_id !== "" && { sessionId: launch.session_id }),
    startedAt: launch.timestamp,
    ...(outputOf(launch) !== "" && { outputFile: outputOf(launch) }),
    ...namedWork(launch),
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
  if (launch.kind === "local_bash") {
    const hasEnding = context.clientEndings().has(launch.agent_id);
    return (hasEnding && lookAtClientEnding(context.home, launch)) || lookAtShell(launch, context);
  }
  return launch.subagent_type === WORKFLOW ? lookAtWorkflow(launch, context) : lookAtAgent(launch, context);
}
