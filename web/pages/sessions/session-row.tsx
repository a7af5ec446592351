import type { Answer } from "../../api/route-shapes.ts";
import { formatBytes, plural } from "../../../src/lib/quantities.ts";
import { Icon } from "../../parts/icon.tsx";
import { ago } from "../../parts/when.ts";
import { folderName } from "../../parts/task-row.tsx";
import { sessionUrl } from "../../routing/routes.ts";

export type SessionData = Answer<"GET /api/sessions">["sessions"][number];

export function sessionTitle({ title, firstPrompt, sessionId }: SessionData): string {
  return title || firstPrompt || sessionId;
}

/** A session in a list, in two lines. */
export function SessionRow({ session, isCurrent = false }: { session: SessionData; isCurrent?: boolean }) {
  const { cwd, gitBranch, messageCount, agents, bytes, archived, updatedAt } = session;
  const size = messageCount === null ? formatBytes(bytes) : plural(messageCount, "message");
  return (
    <a
      class="task-row"
      href={sessionUrl(session.sessionId, { project: session.project })}
      aria-current={isCurrent ? "true" : undefined}
      data-session={session.sessionId}
    >
      <span class="row-icon third">
        <Icon name={archived ? "file" : "sessions"} />
      </span>
      <span class="row-title">
        <b class="cut" dir="auto">
          {sessionTitle(session)}
        </b>
      </span>
      <span class="row-side">{ago(updatedAt)}</span>
      <span class="row-line cut">
        {[
          cwd && folderName(cwd),
          gitBranch,
          agents ? plural(agents, "agent") : "",
          archived ? "archived" : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <span class="row-side">{size}</span>
    </a>
  );
}
