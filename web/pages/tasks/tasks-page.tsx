import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Asked } from "../../api/route-shapes.ts";
import { formatCount } from "../../../src/lib/quantities.ts";
import { usePagedRows } from "../../list/paged-rows.ts";
import { useRowHeight } from "../../list/row-height.ts";
import { useListKeys } from "../../list/list-keys.ts";
import { VirtualList } from "../../list/virtual-list.tsx";
import { onEvent } from "../../live/event-bus.ts";
import { noteRows } from "../../live/live-rows.ts";
import { useAsked } from "../../parts/asked.ts";
import { Panes } from "../../parts/panes.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { folderName, TaskRow } from "../../parts/task-row.tsx";
import { go, place, withQuery } from "../../routing/place.ts";
import { taskUrl, type Match } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";
import { TaskAside, TaskDetail } from "../task/task-detail.tsx";
import { FindField } from "../../parts/find-field.tsx";

type Query = NonNullable<Asked<"GET /api/tasks">["query"]>;

/** All tasks, newest first, and the one that is chosen. */
export function TasksPage({ match }: { match: Match }) {
  const chosen = match.page === "task" ? match.id : undefined;
  const [isInspectorOpen, setInspectorOpen] = useState(false);
  useEffect(() => {
    if (chosen === undefined) setTitle("Tasks");
  }, [chosen]);
  return (
    <Panes
      listLabel="Tasks"
      list={<TaskList chosen={chosen} />}
      detail={
        chosen !== undefined && (
          <TaskDetail
            key={chosen}
            id={chosen}
            tab={match.tab}
            onInspect={() => setInspectorOpen(!isInspectorOpen)}
          />
        )
      }
      inspector={chosen !== undefined && <TaskAside key={chosen} id={chosen} />}
      isInspectorOpen={isInspectorOpen}
    />
  );
}

const statuses = ["", "attention", "queued", "running", "completed", "failed", "stopped", "lost"];
const statusWords: Record<string, string> = { "": "any status", attention: "needs attention" };
const kinds = { "": "any kind", local_bash: "commands", local_agent: "agents", remote_agent: "fleet agents" };

function TaskList({ chosen }: { chosen: string | undefined }) {
  const { query } = place.value;
  const filter = Object.fromEntries(
    ["status", "kind", "project", "q", "session"].map((name) => [name, query.get(name) ?? undefined]),
  ) as Query;
  const key = JSON.stringify(filter);
  const rows = usePagedRows(key, async ({ from, limit }, signal) => {
    const { tasks, total } = await ask("GET /api/tasks", { query: { ...filter, from, limit } }, { signal });
    noteRows(tasks);
    return { rows: tasks, total };
  });
  const { answer: projects } = useAsked("GET /api/projects", {});
  const list = useRef<VirtualList>(null);
  const height = useRowHeight();
  useRefresh(rows.refresh);
  useListKeys(list, {
    total: rows.total ?? 0,
    idAt: (index) => rows.rowAt(index)?.id,
    open: (id) => go(taskUrl(id) + location.search),
  });
  const setFilter = (name: string, value: string): void =>
    go(withQuery({ [name]: value }), { isReplacing: true });
  return (
    <>
      <header class="pane-head">
        <div class="bar">
          <h1>Tasks</h1>
          <span class="third">{rows.total === undefined ? "" : formatCount(rows.total)}</span>
        </div>
        <FindField
          label="Find tasks"
          value={query.get("q") ?? ""}
          onFind={(words) => setFilter("q", words)}
        />
        <div class="bar filters">
          <select
            class="field"
            aria-label="Status"
            value={query.get("status") ?? ""}
            onChange={(event) => setFilter("status", event.currentTarget.value)}
          >
            {statuses.map((status) => (
              <option key={status} value={status}>
                {statusWords[status] ?? status}
              </option>
            ))}
          </select>
          <select
            class="field"
            aria-label="Kind"
            value={query.get("kind") ?? ""}
            onChange={(event) => setFilter("kind", event.currentTarget.value)}
          >
            {Object.entries(kinds).map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
          <select
            class="field"
            aria-label="Project"
            value={query.get("project") ?? ""}
            onChange={(event) => setFilter("project", event.currentTarget.value)}
          >
            <option value="">any project</option>
            {projects?.projects.map(({ project, cwd }) => (
              <option key={project} value={project}>
                {cwd ? folderName(cwd) : project}
              </option>
            ))}
          </select>
        </div>
      </header>
      <div class="pane-body">
        {rows.error ? (
          <Trouble error={rows.error} onRetry={rows.refresh} />
        ) : rows.total === undefined ? (
          <Loading />
        ) : rows.total === 0 ? (
          <Empty title="No tasks">
            <p>{key === "{}" ? "Start one on the first page." : "None passes these filters."}</p>
            <a href={key === "{}" ? "/" : "/tasks"}>{key === "{}" ? "Go to the first page" : "Show all"}</a>
          </Empty>
        ) : (
          <VirtualList
            handle={list}
            label="Tasks"
            count={rows.total}
            estimate={height}
            generation={`${key} ${height}`}
            onRange={rows.show}
          >
            {(index) => {
              const task = rows.rowAt(index);
              return task ? <TaskRow task={task} isCurrent={task.id === chosen} /> : <div class="task-row" />;
            }}
          </VirtualList>
        )}
      </div>
    </>
  );
}

/** Changes that come close together are asked for once. */
const SETTLE_MS = 200;

// Rows change by themselves; only a list that has become longer or shorter is asked for again.
function useRefresh(refresh: () => void): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current();
      }, SETTLE_MS);
    };
    const ends = [
      onEvent("task", ({ is }) => is !== "changed" && soon()),
      onEvent("task-gone", soon),
      onEvent("hello", ({ isResumed }) => void (isResumed || soon())),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, []);
}
