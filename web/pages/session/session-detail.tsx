import { useEffect } from "preact/hooks";
import { fileUrl } from "../../api/ask.ts";
import { onEvent } from "../../live/event-bus.ts";
import { useAsked, type AskedState } from "../../parts/asked.ts";
import { copyText } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { ago } from "../../parts/when.ts";
import { formatBytes, plural } from "../../../src/lib/quantities.ts";
import { place } from "../../routing/place.ts";
import { sessionUrl } from "../../routing/routes.ts";
import { useKeys } from "../../shell/keys.ts";
import { setTitle } from "../../shell/title.ts";
import { ReviewView } from "../review/review-view.tsx";
import { sessionTitle } from "../sessions/session-row.tsx";
import { AskBox } from "./ask-box.tsx";
import { ConversationView } from "./conversation-view.tsx";
import type { Header } from "./row-store.ts";
import {
  archiveSession,
  askToUndo,
  forkSession,
  moveSession,
  renameSession,
  restoreSession,
  tagSession,
  trashSession,
} from "./session-actions.tsx";
import { SessionInspector } from "./session-inspector.tsx";

interface Chosen {
  id: string;
}

// Both sides of a session want its header: it is asked once.
function useHeader(id: string): AskedState<Header> {
  const { query } = place.value;
  const project = query.get("project") ?? undefined;
  const agent = query.get("agent") ?? undefined;
  const asked = useAsked("GET /api/sessions/{id}", { path: { id }, query: { project, agent } });
  useEffect(
    () =>
      onEvent(
        "sessions",
        ({ changed }) => changed.some(({ sessionId }) => sessionId === id) && asked.askAgain(),
      ),
    [id],
  );
  return asked;
}

/** What stands beside a session. */
export function SessionAside({ id }: Chosen) {
  const { answer } = useHeader(id);
  return answer ? <SessionInspector header={answer} /> : null;
}

/** One session, or the conversation of one of its sub-agents. */
export function SessionPane({
  id,
  tab,
  onInspect,
}: Chosen & { tab: string | undefined; onInspect: () => void }) {
  const { query } = place.value;
  const project = query.get("project") ?? undefined;
  const agent = query.get("agent") ?? undefined;
  const { answer, error, askAgain } = useHeader(id);
  useEffect(() => {
    if (answer) setTitle(sessionTitle(answer.session));
  }, [answer]);
  if (!answer && error) return <Trouble error={error} onRetry={askAgain} />;
  return (
    <>
      {answer ? (
        <SessionHead header={answer} onChanged={askAgain} onInspect={onInspect} tab={tab} />
      ) : (
        <Loading lines={2} />
      )}
      <div class="pane-body">
        {tab === "files" ? (
          <ReviewView session={id} project={project ?? answer?.session.project} />
        ) : (
          <ConversationView id={id} project={project} agent={agent} />
        )}
      </div>
      {answer && tab !== "files" && agent === undefined && <AskBox header={answer} />}
    </>
  );
}

function SessionHead({
  header,
  tab,
  onChanged,
  onInspect,
}: {
  header: Header;
  tab: string | undefined;
  onChanged: () => void;
  onInspect: () => void;
}) {
  const { session, agentId } = header;
  const { sessionId: id, project, cwd, gitBranch, archived } = session;
  const transcript = { id, project };
  const exportUrl = (format: "md" | "html" | "json"): string =>
    fileUrl("GET /api/sessions/{id}/export", {
      path: { id },
      query: { project, format, leaf: place.value.query.get("leaf") ?? undefined },
    });
  const resume = `holdfast resume ${id}`;
  useKeys({
    y: () => void copyText(id, "Copied the id"),
    Y: () => void copyText(resume, "Copied the command"),
    F: () => forkSession(transcript),
    e: () => (location.href = exportUrl("md")),
  });
  return (
    <>
      <header class="detail-head">
        <div class="detail-title">
          <a class="button is-quiet is-icon only-phone" href="/sessions" aria-label="Back to the sessions">
            <Icon name="back" />
          </a>
          <h1 class="any" dir="auto">
            {agentId === null ? sessionTitle(session) : `Sub-agent ${agentId}`}
          </h1>
          <div class="bar actions">
            <Menu label="More actions">
              <MenuItem onChoose={() => forkSession(transcript)}>Fork …</MenuItem>
              <MenuItem onChoose={() => void copyText(resume, "Copied the command")}>
                Copy the command that resumes it
              </MenuItem>
              <MenuItem onChoose={() => void copyText(id, "Copied the id")}>Copy its id</MenuItem>
              <a role="menuitem" href={exportUrl("md")} download>
                Export as Markdown
              </a>
              <a role="menuitem" href={exportUrl("html")} download>
                Export as HTML
              </a>
              <a role="menuitem" href={exportUrl("json")} download>
                Export as JSON
              </a>
              <MenuItem onChoose={() => renameSession(session, onChanged)}>Rename …</MenuItem>
              <MenuItem onChoose={() => tagSession(session, onChanged)}>Tag …</MenuItem>
              <MenuItem onChoose={() => moveSession(session)}>Move to another folder …</MenuItem>
              <MenuItem onChoose={() => void askToUndo(transcript)}>Put files back …</MenuItem>
              {archived ? (
                <MenuItem onChoose={() => void restoreSession(id, "archive")}>
                  Restore from the archive
                </MenuItem>
              ) : (
                <MenuItem onChoose={() => archiveSession(session, onChanged)}>Archive …</MenuItem>
              )}
              <MenuItem isDanger onChoose={() => trashSession(session)}>
                Move to the trash …
              </MenuItem>
            </Menu>
            <button
              type="button"
              class="button is-quiet is-icon inspector-switch"
              aria-label="More about it"
              title="More about it"
              onClick={onInspect}
            >
              <Icon name="panel" />
            </button>
          </div>
        </div>
        <div class="detail-facts">
          {agentId !== null && (
            <a href={sessionUrl(id, { project })}>in {sessionTitle(session).slice(0, 60)}</a>
          )}
          {header.isOpen && <span class="status is-running">open in a client</span>}
          {archived && <span class="tag">archived</span>}
          <span>{ago(session.updatedAt)}</span>
          {session.messageCount !== null && <span>{plural(session.messageCount, "message")}</span>}
          <span>{formatBytes(session.bytes)}</span>
          {gitBranch && <span>{gitBranch}</span>}
          <span class="mono any">{cwd}</span>
        </div>
        {header.rejections.total > 0 && (
          <p class="notice-line">
            <span>
              {plural(header.rejections.total, "line")} of the file{" "}
              {header.rejections.total === 1 ? "is" : "are"} no entry; the first at byte{" "}
              {header.rejections.shown[0]?.offset}: {header.rejections.shown[0]?.reason}.{" "}
              <a href="/doctor">Doctor</a> can repair it.
            </span>
          </p>
        )}
      </header>
      {agentId === null && (
        <nav class="tabs" aria-label="Parts of the session">
          <a href={sessionUrl(id, { project })} aria-current={tab === undefined ? "page" : undefined}>
            Conversation
          </a>
          <a
            href={sessionUrl(id, { project, tab: "files" })}
            aria-current={tab === "files" ? "page" : undefined}
          >
            Changes
          </a>
        </nav>
      )}
    </>
  );
}
