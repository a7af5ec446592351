import { recover } from "../recovery/recover.ts";
import { textField, type HookInput } from "./hook-input.ts";
import { configDirOf, projectDirOf, type HookWorld } from "./hook-world.ts";
import { tell } from "./own-news.ts";
import type { HookAnswer } from "./run-hook.ts";

/** The brief: what runs, what finished unseen, what was lost; after a compaction also what the session knew before. */
export async function sessionStart(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const recovery = recover({
    home: world.home,
    configDir: configDirOf(input, world),
    clock: world.clock,
    projectDir: projectDirOf(input, world),
    sessionId: input.sessionId,
    withSeen: textField(input.fields, "source") === "compact",
  });
  return tell(input, world, recovery);
}
