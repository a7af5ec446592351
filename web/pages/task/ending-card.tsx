import { formatDuration } from "../../../src/lib/quantities.ts";
import { Status } from "../../parts/status.tsx";
import { momentOf } from "../../parts/when.ts";
import type { TaskCardData } from "./task-card.ts";

type Ending = NonNullable<TaskCardData["ending"]>;

const reasons: Record<string, string> = {
  timeout: "it ran into its time limit",
  "output-limit": "it printed more than its limit",
  turns: "it reached its limit of turns",
  tokens: "it reached its limit of tokens",
  cost: "it reached its limit of cost",
  "agent-error": "the agent could not go on",
};

/** How a task ended, who says so, and how that is known. */
export function EndingCard({ ending }: { ending: Ending }) {
  return (
    <section class="card ending" aria-label="Ending">
      <p>
        <Status status={ending.status} /> <span>{howItEnded(ending)}</span>
      </p>
      <dl class="facts">
        <dt>ended</dt>
        <dd>
          {momentOf(ending.endedAt)}, after {formatDuration(ending.durationMs)}
        </dd>
        <dt>written by</dt>
        <dd>{ending.writtenBy}</dd>
        {ending.knownBy.length > 0 && (
          <>
            <dt>known by</dt>
            <dd>{ending.knownBy.join(", ")}</dd>
          </>
        )}
        <dt>survivors</dt>
        <dd>{ending.survivors.length === 0 ? "none" : `${ending.survivors.join(", ")} still live`}</dd>
      </dl>
    </section>
  );
}

function howItEnded({ status, exitCode, signal, reason, stoppedBy, stopReason, cause }: Ending): string {
  if (status === "completed") return "with exit code 0";
  if (status === "lost") return cause ?? "its process is gone and left no ending";
  if (status === "stopped") return [`by ${stoppedBy ?? "somebody"}`, stopReason].filter(Boolean).join(": ");
  const how = signal ? `by ${signal}` : `with exit code ${exitCode}`;
  return reason && reasons[reason] ? `${how}: ${reasons[reason]}` : how;
}
