import { projectKey } from "../../format/paths.ts";
import { noteQuiet } from "../../recovery/quiet-project.ts";
import type { HookInput } from "./hook-input.ts";
import { projectDirOf, recoverOptions, type HookWorld } from "./hook-world.ts";

/** Of the project that the session belongs to. */
export function noteQuietProject(input: HookInput, world: HookWorld): void {
  noteQuiet(projectKey(projectDirOf(input, world)), recoverOptions(input, world));
}
