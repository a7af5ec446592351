import { isJsonObject } from "../../format/json-object.ts";
import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import { launchTexts, MONITOR, WORKFLOW, type LaunchLine } from "../../recovery/manifest-line.ts";
import { readManifest } from "../../recovery/read-manifest.ts";
import { idField, shortField, textField, type HookInput } from "./hook-input.ts";
import { takenOver } from "./taken-over.ts";
import {
  agentTranscript,
  isOfThisClient,
  launchOf,
  manifestPlace,
  projectDirOf,
  shellOutputFile,
  type HookWorld,
} from "./hook-world.ts";
import { turnNews } from "./own-news.ts";
import { logDropped } from "./log-failure.ts";
import { workOf } from "./work-of.ts";
import type { HookAnswer } from "./run-hook.ts";

/** At the end of a turn: records what went to the background without a launch of its own, and brings our own news. */
export async function stop(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const tasks = input.fields["background_tasks"];
  if (Array.isArray(tasks) && tasks.length > 0) await recordRunning(tasks, input, world);
  return turnNews(input, world);
}

// What no tool's answer told of (somebody pressed Ctrl+B, or a workflow started it), and what this client has taken over
// from one that was moved to the background.
async function recordRunning(tasks: readonly unknown[], input: HookInput, world: HookWorld): Promise<void> {
  const items = readManifest(world.home, projectKey(projectDirOf(input, world)));
  const known = new Map(items.map((item) => [item.launch.agent_id, item]));
  const lines = tasks.flatMap((task) => {
    const line = launchIn(isJsonObject(task) ? task : {}, input, world);
    if (line.agent_id === "") logDropped(world, "an item of background_tasks");
    const item = known.get(line.agent_id);
    if (!item) return line.agent_id === "" ? [] : [line];
    const isMoved = item.end === undefined && !isOfThisClient(item.launch, world);
    return isMoved ? [takenOver(item.launch, input, world)] : [];
  });
  await appendManifest(manifestPlace(input, world), lines);
}

// What is of no known type has a command, or is some sort of agent.
function launchIn(task: Readonly<Record<string, unknown>>, input: HookInput, world: HookWorld): LaunchLine {
  const id = idField(task, "id");
  const type = shortField(task, "type");
  if (type === WORKFLOW) return workflowOf(task, input, world);
  const command = textField(task, "command");
  const isKnown = type === "shell" || type === "subagent";
  const isShell = isKnown ? type === "shell" : type === MONITOR || command !== "";
  const named = isShell ? "shell" : shortField(task, "agent_type");
  return {
    ...launchOf(input, world, id),
    subagent_type: isKnown ? named : type,
    ...launchTexts({ description: textField(task, "description"), prompt: command }),
    output_file: isShell ? shellOutputFile(input, world, id) : agentTranscript(input, id),
    kind: isShell ? "local_bash" : "local_agent",
    // Of an agent the prompt is not told here, so that nothing can be recognised as the same work.
    ...(isShell ? workOf(input, { kind: "local_bash", text: command }) : { fingerprint: "" }),
    ...(!isShell && { transcript: agentTranscript(input, id) }),
  };
}

// Its folder is named after its run, which is not told here.
function workflowOf(task: Readonly<Record<string, unknown>>, input: HookInput, world: HookWorld): LaunchLine {
  const id = idField(task, "id");
  return {
    ...launchOf(input, world, id),
    subagent_type: WORKFLOW,
    ...launchTexts({ description: textField(task, "description"), prompt: textField(task, "name") }),
    output_file: shellOutputFile(input, world, id),
    kind: "local_agent",
    fingerprint: "",
  };
}
