import { parseTaskNotification, type TaskNotification } from "../../format/task-notification.ts";
import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import type { EndLine, EndStatus, SeenLine } from "../../recovery/manifest-line.ts";
import { preview } from "../../recovery/read-ending.ts";
import { readManifest } from "../../recovery/read-manifest.ts";
import { textField, type HookInput } from "./hook-input.ts";
import { lineOf, manifestPlace, projectDirOf, type HookWorld } from "./hook-world.ts";
import { turnNews } from "./own-news.ts";
import type { HookAnswer } from "./run-hook.ts";

/** A notification among the prompts is the moment at which the model sees an ending. A prompt also brings our own news. */
export async function userPromptSubmit(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const notification = parseTaskNotification(textField(input.fields, "prompt"));
  if (!notification) return turnNews(input, world);
  const items = readManifest(world.home, projectKey(projectDirOf(input, world)));
  // Of what we know nothing, there is nothing to add.
  const launch = items.find((item) => item.launch.agent_id === notification.taskId)?.launch;
  if (!launch) return {};
  await appendManifest(manifestPlace(input, world), linesOf(input, world, notification));
  return {};
}

const statuses: ReadonlyMap<string, EndStatus> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["killed", "stopped"],
  ["stopped", "stopped"],
]);

function linesOf(
  input: HookInput,
  world: HookWorld,
  { taskId, status, summary, result }: TaskNotification,
): [EndLine, SeenLine] {
  const common = lineOf(input, world, taskId);
  return [
    {
      ...common,
      status: statuses.get(status) ?? "failed",
      ...(summary !== "" && { summary: preview(summary) }),
      ...(result !== undefined && result.trim() !== "" && { result: preview(result) }),
    },
    { ...common, status: "seen" },
  ];
}
