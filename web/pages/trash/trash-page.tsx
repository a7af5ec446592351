import { useEffect } from "preact/hooks";
import { formatBytes } from "../../../src/lib/quantities.ts";
import { useAsked } from "../../parts/asked.ts";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { ago } from "../../parts/when.ts";
import { setTitle } from "../../shell/title.ts";
import { Icon } from "../../parts/icon.tsx";
import { restoreSession } from "../session/session-actions.tsx";

/** Sessions that were thrown away, and can be taken back. */
export function TrashPage() {
  const { answer, error, askAgain } = useAsked("GET /api/trash", {});
  useEffect(() => setTitle("Trash"), []);
  if (!answer) return error ? <Trouble error={error} onRetry={askAgain} /> : <Loading />;
  return (
    <div class="page">
      <div class="page-in">
        <h1>Trash</h1>
        {answer.trash.length === 0 ? (
          <Empty title="The trash is empty">
            <a href="/sessions">Sessions</a>
          </Empty>
        ) : (
          <ul class="row-box">
            {answer.trash.map(({ sessionId, project, title, trashedAt, bytes }) => (
              <li class="task-row" key={`${project} ${sessionId} ${trashedAt}`}>
                <span class="row-icon third">
                  <Icon name="trash" />
                </span>
                <span class="row-title">
                  <b class="cut">{title ?? sessionId}</b>
                </span>
                <span class="row-side trash-side">
                  <button
                    type="button"
                    class="button"
                    onClick={() => void restoreSession(sessionId, "trash")}
                  >
                    Restore
                  </button>
                </span>
                <span class="row-line cut">
                  thrown away {ago(trashedAt)}, {formatBytes(bytes)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
