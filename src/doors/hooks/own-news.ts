import { tellBrief } from "../../recovery/tell-brief.ts";
import { recover, type Recovery } from "../../recovery/recover.ts";
import type { HookInput } from "./hook-input.ts";
import { projectDirOf, recoverOptions, type HookWorld } from "./hook-world.ts";
import type { HookAnswer } from "./run-hook.ts";

/** Endings of this session's own tasks of Holdfast, which no client would tell; each is told once. */
export async function ownNews(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const recovery = recover({
    ...recoverOptions(input, world),
    only: (launch) => launch.source === "holdfast" && launch.session_id === input.sessionId,
  });
  return tell(input, world, { ...recovery, running: [], duplicates: [] });
}

/** Tells what was found, in the words of the client; that it was seen is recorded once the text is out. */
export function tell(input: HookInput, world: HookWorld, recovery: Recovery): HookAnswer {
  const { sessionId, event } = input;
  const { home, clock } = world;
  const projectDir = projectDirOf(input, world);
  const brief = tellBrief(recovery, { home, clock, projectDir, sessionId, listedBy: "holdfast recover" });
  if (!brief) return {};
  return {
    output: { hookSpecificOutput: { hookEventName: event, additionalContext: brief.text } },
    afterwards: brief.record,
  };
}
