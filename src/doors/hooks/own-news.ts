import { buildBrief } from "../../recovery/brief.ts";
import { markSeen, takeNotices, type Teller } from "../../recovery/mark-told.ts";
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

/**
 * Tells what was found, and has it told to nobody else: notices are taken before the text is made, because of several
 * tellers one may have each; what was seen is recorded once the text is out.
 */
export function tell(input: HookInput, world: HookWorld, recovery: Recovery): HookAnswer {
  const { sessionId, event } = input;
  const teller: Teller = { ...world, projectDir: projectDirOf(input, world), sessionId };
  const options = { now: world.clock.now(), sessionId };
  let brief = buildBrief(recovery, options);
  if (!brief) return {};
  const free = new Set(takeNotices(brief.told, teller));
  if (free.size < brief.told.length) {
    const taken = new Set(brief.told.filter((item) => !free.has(item)));
    const isFree = (item: Recovery["lost"][number]): boolean => !taken.has(item);
    const rest = {
      ...recovery,
      finishedUnseen: recovery.finishedUnseen.filter(isFree),
      lost: recovery.lost.filter(isFree),
    };
    brief = buildBrief(rest, options);
    if (!brief) return {};
  }
  const { text, told } = brief;
  return {
    output: { hookSpecificOutput: { hookEventName: event, additionalContext: text } },
    afterwards: () => markSeen(told, teller),
  };
}
