import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import { readManifest } from "../../recovery/read-manifest.ts";
import { idField, objectField, type HookInput } from "./hook-input.ts";
import { lineOf, manifestPlace, projectDirOf, type HookWorld } from "./hook-world.ts";
import type { HookAnswer } from "./run-hook.ts";

/** The model stopped a task, so it knows how that ended: the tool's answer said so. */
export async function taskStopped(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const { fields } = input;
  const id =
    idField(objectField(fields, "tool_response"), "task_id") ||
    idField(objectField(fields, "tool_response"), "shell_id");
  const items = readManifest(world.home, projectKey(projectDirOf(input, world)));
  if (!items.some(({ launch, end }) => launch.agent_id === id && end === undefined)) return {};
  const common = lineOf(input, world, id);
  await appendManifest(manifestPlace(input, world), [
    { ...common, status: "stopped" },
    { ...common, status: "seen" },
  ]);
  return {};
}
