import { buildBrief, type Brief } from "../recovery/brief.ts";
import { markTold } from "../recovery/mark-told.ts";
import { recover } from "../recovery/recover.ts";
import { survey } from "../recovery/survey.ts";
import { tellBrief } from "../recovery/tell-brief.ts";
import type { Clock } from "../lib/clock.ts";
import type { Places } from "./places.ts";

export interface BriefQuery {
  /** The project; undefined for all of them, of which there is only a preview. */
  cwd: string | undefined;
  /** Whom the brief is for: what it tells counts as told to this session, and is told to no other. */
  sessionId?: string | undefined;
  /** Also what the session was told before, which it has forgotten. */
  afterCompaction?: boolean | undefined;
  /** Only shows what would be told, also of what nobody recorded; nothing counts as told. */
  isPreview?: boolean | undefined;
  /** How the reader gets the whole list, for what the text has no room for. */
  listedBy?: string | undefined;
}

/** The brief that a session gets when it begins or was compacted, without a client's hook. */
export async function makeBrief(
  { home, configDir, clock }: Places & { clock: Clock },
  { cwd: projectDir, sessionId, afterCompaction: withSeen, isPreview, listedBy }: BriefQuery,
): Promise<Brief | undefined> {
  const query = { home, configDir, clock, projectDir, sessionId, withSeen };
  if (isPreview || sessionId === undefined)
    return buildBrief(survey(query), { now: clock.now(), sessionId, listedBy });
  if (projectDir === undefined) throw new RangeError("Cannot tell a session of all projects: name its cwd");
  const recovery = recover(query);
  const teller = { home, clock, projectDir, sessionId };
  await markTold(recovery.arrived, teller);
  const told = tellBrief(recovery, { ...teller, listedBy });
  if (!told) return undefined;
  await told.confirm();
  return { text: told.text, told: told.told };
}
