import { listRunning } from "../tasks/record/running-tasks.ts";
import { recoveredAgeMsMax } from "./limits.ts";
import { isNoticeOver } from "./look-at-own.ts";
import type { LaunchLine } from "./manifest-line.ts";
import type { ManifestItem } from "./read-manifest.ts";
import type { RecoverOptions } from "./recover-options.ts";

/** Whether nothing of a launch is news to the asker, as far as names and lines tell: nothing of it is opened. */
export function historyTest(
  { home, sessionId, clock }: RecoverOptions,
  isOwn: (launch: LaunchLine) => boolean = (launch) => launch.session_id === sessionId,
): (item: ManifestItem) => boolean {
  const running = new Set(listRunning(home).map(({ id }) => id));
  const oldest = new Date(clock.now().getTime() - recoveredAgeMsMax).toISOString();
  return ({ launch, end, seenBy }) => {
    const isMine = sessionId !== undefined && isOwn(launch);
    if (isMine ? seenBy.includes(sessionId) : seenBy.length > 0) return true;
    if (launch.source === "hook") return end !== undefined && end.timestamp < oldest;
    return (
      !running.has(launch.agent_id) && (launch.timestamp < oldest || isNoticeOver(home, launch, { isMine }))
    );
  };
}
