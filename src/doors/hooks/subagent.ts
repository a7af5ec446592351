import fs from "node:fs";
import { parseTaskId } from "../../format/ids.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import { preview } from "../../recovery/read-ending.ts";
import { readManifest, type ManifestItem } from "../../recovery/read-manifest.ts";
import { idField, textField, type HookInput } from "./hook-input.ts";
import { isOfThisClient, lineOf, manifestPlace, projectDirOf, type HookWorld } from "./hook-world.ts";
import type { HookAnswer } from "./run-hook.ts";
import { takenOver } from "./taken-over.ts";

/**
 * An agent that had ended and begins again keeps its id: that is a new launch of the same work. One that had not ended and
 * begins in another client was moved there.
 */
export async function subagentStart(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const known = findItem(input, world);
  if (!known || (known.end === undefined && isOfThisClient(known.launch, world))) return {};
  const line = takenOver(known.launch, input, world);
  // One that had answered is asked something more, in words that are not told here.
  const isAnswered = known.end?.status === "completed";
  await appendManifest(manifestPlace(input, world), [isAnswered ? { ...line, fingerprint: "" } : line]);
  return {};
}

/**
 * Records that a background agent has finished, with its answer. The client's own helpers (compaction) come here, too,
 * without a type and without a transcript; and agents that somebody waits for, which are no background work.
 */
export async function subagentStop(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const { fields } = input;
  const id = idField(fields, "agent_id");
  if (textField(fields, "agent_type") === "" || id === "" || parseTaskId(id)?.kind === "internal") return {};
  if (!fs.existsSync(textField(fields, "agent_transcript_path"))) return {};
  if (!isInBackground(input, world, id)) return {};
  const answer = textField(fields, "last_assistant_message");
  await appendManifest(manifestPlace(input, world), [
    {
      ...lineOf(input, world, id),
      status: "completed",
      ...(answer !== "" && { result: preview(answer) }),
    },
  ]);
  return {};
}

// An agent is among the tasks of its own last event. A client that sends no list leaves the manifest to ask; there the
// launch may not be written yet, so that only one that is known counts.
function isInBackground(input: HookInput, world: HookWorld, id: string): boolean {
  const tasks = input.fields["background_tasks"];
  if (Array.isArray(tasks) && tasks.some((task) => isJsonObject(task) && idField(task, "id") === id))
    return true;
  return findItem(input, world) !== undefined;
}

function findItem(input: HookInput, world: HookWorld): ManifestItem | undefined {
  const id = idField(input.fields, "agent_id");
  return readManifest(world.home, projectKey(projectDirOf(input, world))).find(
    ({ launch }) => launch.agent_id === id,
  );
}
