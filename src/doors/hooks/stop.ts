import { parseTaskId } from "../../format/ids.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import { fingerprint } from "../../recovery/fingerprint.ts";
import { launchTexts, type LaunchLine } from "../../recovery/manifest-line.ts";
import { readManifest } from "../../recovery/read-manifest.ts";
import { shortField, textField, type HookInput } from "./hook-input.ts";
import {
  agentTranscript,
  clientProcess,
  lineOf,
  manifestPlace,
  projectDirOf,
  shellOutputFile,
  type HookWorld,
} from "./hook-world.ts";
import { ownNews } from "./own-news.ts";
import type { HookAnswer } from "./run-hook.ts";

/** At the end of a turn: records what went to the background without a launch of its own, and brings our own news. */
export async function stop(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const tasks = input.fields["background_tasks"];
  if (Array.isArray(tasks) && tasks.length > 0) await recordUnknown(tasks, input, world);
  return ownNews(input, world);
}

// Somebody pressed Ctrl+B, or a workflow started it: no tool's answer told of it.
async function recordUnknown(tasks: readonly unknown[], input: HookInput, world: HookWorld): Promise<void> {
  const items = readManifest(world.home, projectKey(projectDirOf(input, world)));
  const known = new Set(items.map(({ launch }) => launch.agent_id));
  const lines = tasks.flatMap((task) => {
    const line = isJsonObject(task) ? launchOf(task, input, world) : undefined;
    return line && !known.has(line.agent_id) ? [line] : [];
  });
  await appendManifest(manifestPlace(input, world), lines);
}

function launchOf(
  task: Readonly<Record<string, unknown>>,
  input: HookInput,
  world: HookWorld,
): LaunchLine | undefined {
  const id = textField(task, "id");
  const type = textField(task, "type");
  if (parseTaskId(id) === undefined || (type !== "shell" && type !== "subagent")) return undefined;
  const isShell = type === "shell";
  const command = textField(task, "command");
  return {
    ...lineOf(input, world, id),
    subagent_type: isShell ? "shell" : shortField(task, "agent_type"),
    ...launchTexts({ description: textField(task, "description"), prompt: command }),
    output_file: isShell ? shellOutputFile(input, world, id) : agentTranscript(input, id),
    status: "launched",
    kind: isShell ? "local_bash" : "local_agent",
    // Of an agent the prompt is not told here, so that nothing can be recognised as the same work.
    fingerprint: isShell ? fingerprint({ kind: "local_bash", text: command, cwd: input.cwd }) : "",
    ...(!isShell && { transcript: agentTranscript(input, id) }),
    client: clientProcess(world),
  };
}
