import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Asked } from "../../api/route-shapes.ts";
import { formatCount } from "../../../src/lib/quantities.ts";
import { useListKeys } from "../../list/list-keys.ts";
import { usePagedRows } from "../../list/paged-rows.ts";
import { VirtualList } from "../../list/virtual-list.tsx";
import { onEvent } from "../../live/event-bus.ts";
import { useAsked } from "../../parts/asked.ts";
import { FindField } from "../../parts/find-field.tsx";
import { Panes } from "../../parts/panes.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { folderName } from "../../parts/task-row.tsx";
import { go, place, withQuery } from "../../routing/place.ts";
import { sessionUrl, type Match } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";
import { useRowHeight } from "../../list/row-height.ts";
import { SessionAside, SessionPane } from "../session/session-detail.tsx";
import { SessionRow } from "./session-row.tsx";

type Query = NonNullable<Asked<"GET /api/sessions">["query"]>;

/** All sessions of every client, newest first, and the one that is chosen. */
export function SessionsPage({ match }: { match: Match }) {
  const chosen = match.page === "session" ? match.id : undefined;
  const [isInspectorOpen, setInspectorOpen] = useState(false);
  useEffect(() => {
    if (chosen === undefined) setTitle("Sessions");
  }, [chosen]);
  return (
    <Panes
      listLabel="Sessions"
      list={<SessionList chosen={chosen} />}
      detail={
        chosen !== undefined && (
          <SessionPane
            key={chosen}
            id={chosen}
            tab={match.tab}
            onInspect={() => setInspectorOpen(!isInspectorOpen)}
          />
        )
      }
      inspector={chosen !== undefined && <SessionAside key={chosen} id={chosen} />}
      isInspectorOpen={isInspectorOpen}
    />
  );
}

function SessionList({ chosen }: { chosen: string | undefined }) {
  const { query } = place.value;
  // The project of a chosen session is in its address, too; only the list's own filter is `in`.
  const filter: Query = {
    q: query.get("q") ?? undefined,
    project: query.get("in") ?? undefined,
    tag: query.get("tag") ?? undefined,
    archived: query.has("archived") ? true : undefined,
  };
  const key = JSON.stringify(filter);
  const rows = usePagedRows(key, async ({ from, limit }, signal) => {
    const { sessions, total } = await ask(
      "GET /api/sessions",
      { query: { ...filter, from, limit } },
      { signal },
    );
    return { rows: sessions, total };
  });
  const { answer: projects } = useAsked("GET /api/projects", {});
  const list = useRef<VirtualList>(null);
  const height = useRowHeight();
  const refresh = useRef(rows.refresh);
  refresh.current = rows.refresh;
  useEffect(() => onEvent("sessions", () => refresh.current()), []);
  useListKeys(list, {
    total: rows.total ?? 0,
    idAt: (index) => rows.rowAt(index)?.sessionId,
    open: (id) => go(sessionUrl(id)),
  });
  const setFilter = (name: string, value: string): void =>
    go(withQuery({ [name]: value }), { isReplacing: true });
  return (
    <>
      <header class="pane-head">
        <div class="bar">
          <h1>Sessions</h1>
          <span class="third">{rows.total === undefined ? "" : formatCount(rows.total)}</span>
          <a class="push" href="/trash">
            Trash
          </a>
        </div>
        <FindField
          label="Find sessions"
          value={query.get("q") ?? ""}
          onFind={(words) => setFilter("q", words)}
        />
        <div class="bar filters">
          <select
            class="field"
            aria-label="Project"
            value={query.get("in") ?? ""}
            onChange={(event) => setFilter("in", event.currentTarget.value)}
          >
            <option value="">any project</option>
            {projects?.projects.map(({ project, cwd, sessions }) => (
              <option key={project} value={project}>
                {cwd ? folderName(cwd) : project} ({sessions})
              </option>
            ))}
          </select>
          <select
            class="field"
            aria-label="Archive"
            value={query.has("archived") ? "1" : ""}
            onChange={(event) => setFilter("archived", event.currentTarget.value)}
          >
            <option value="">not archived</option>
            <option value="1">archived</option>
          </select>
        </div>
      </header>
      <div class="pane-body">
        {rows.error ? (
          <Trouble error={rows.error} onRetry={rows.refresh} />
        ) : rows.total === undefined ? (
          <Loading />
        ) : rows.total === 0 ? (
          <Empty title="No sessions">
            <p>
              {key === "{}"
                ? "As soon as an agent works in a folder, its conversation is here."
                : "None passes these filters."}
            </p>
            {key !== "{}" && <a href="/sessions">Show all</a>}
          </Empty>
        ) : (
          <VirtualList
            handle={list}
            label="Sessions"
            count={rows.total}
            estimate={height}
            generation={`${key} ${height}`}
            onRange={rows.show}
          >
            {(index) => {
              const session = rows.rowAt(index);
              return session ? (
                <SessionRow session={session} isCurrent={session.sessionId === chosen} />
              ) : (
                <div class="task-row" />
              );
            }}
          </VirtualList>
        )}
      </div>
    </>
  );
}
