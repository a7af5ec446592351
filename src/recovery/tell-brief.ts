import { buildBrief, type Brief, type BriefOptions } from "./brief.ts";
import { markSeen, takeNotices, type Teller } from "./mark-told.ts";
import type { Recovery } from "./recover.ts";

export interface ToldBrief extends Brief {
  /** Records that the session has seen it; to be called once the text is out. */
  record: () => Promise<void>;
}

/**
 * Tells what was found, and has it told to nobody else: notices are taken before the text is made, because of several
 * tellers one may have each. Undefined when there is nothing to say.
 */
export function tellBrief(
  recovery: Recovery,
  { listedBy, ...teller }: Teller & Pick<BriefOptions, "listedBy">,
): ToldBrief | undefined {
  const options = { now: teller.clock.now(), sessionId: teller.sessionId, listedBy };
  let brief = buildBrief(recovery, options);
  if (!brief) return undefined;
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
    if (!brief) return undefined;
  }
  const { told } = brief;
  return { ...brief, record: () => markSeen(told, teller) };
}
