import { useEffect, useState } from "preact/hooks";
import { formatDollars, formatTokens, plural } from "../../../src/lib/quantities.ts";
import { onEvent } from "../../live/event-bus.ts";
import { useAsked } from "../../parts/asked.ts";
import { CommandLine } from "../../parts/copy.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { folderName } from "../../parts/task-row.tsx";
import { momentOf } from "../../parts/when.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { BackgroundTask } from "./tool-view.tsx";
import type { Header } from "./row-store.ts";

/** What stands beside a conversation: what runs, what is to do, who else spoke, what it touched and used. */
export function SessionInspector({ header }: { header: Header }) {
  const { session, tasks, elsewhere, gaps } = header;
  const { sessionId: id, project } = session;
  const isLater = useLater();
  return (
    <>
      {tasks.length > 0 && (
        <section>
          <h2 class="inspector-title">Runs now</h2>
          {tasks.map((task) => (
            <BackgroundTask key={task} id={task} />
          ))}
        </section>
      )}
      {isLater && (
        <>
          <Todos id={id} project={project} />
          <Agents id={id} project={project} />
          <Files id={id} project={project} />
          <Used id={id} project={project} agent={header.agentId} />
        </>
      )}
      <section>
        <h2 class="inspector-title">The session</h2>
        <dl class="facts">
          <dt>began</dt>
          <dd>{momentOf(session.startedAt)}</dd>
          <dt>last</dt>
          <dd>{momentOf(session.updatedAt)}</dd>
          <dt>id</dt>
          <dd class="mono">{id}</dd>
        </dl>
        {[
          ...elsewhere.map(({ text }) => text),
          gaps.length > 0 ? `${plural(gaps.length, "message")} with a missing parent` : "",
        ]
          .filter(Boolean)
          .map((text) => (
            <p key={text} class="second">
              {text}
            </p>
          ))}
      </section>
      <section class="stack">
        <h2 class="inspector-title">On the command line</h2>
        <CommandLine command={`holdfast show ${id}`} />
        <CommandLine command={`holdfast resume ${id}`} />
      </section>
    </>
  );
}

/** The conversation comes first: a browser has few connections. */
const LATER_MS = 250;

function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}

const todoIcons: Record<string, IconName> = { completed: "check", in_progress: "right", pending: "queued" };

function Todos({ id, project }: { id: string; project: string }) {
  const { answer, askAgain } = useAsked("GET /api/sessions/{id}/todos", { path: { id }, query: { project } });
  useEffect(() => onEvent("rows", ({ session }) => session === id && askAgain()), [id]);
  const items = answer?.lists.flatMap((list) => list.items) ?? [];
  if (items.length === 0) return null;
  return (
    <section>
      <h2 class="inspector-title">
        To do ({items.filter(({ status }) => status === "completed").length} of {items.length} done)
      </h2>
      <ul class="todos">
        {items.map(({ subject, status, activeForm }, index) => (
          <li key={index} class={`is-${status}`}>
            <Icon name={todoIcons[status] ?? "queued"} />
            <span class="any">{status === "in_progress" ? (activeForm ?? subject) : subject}</span>
            <span class="unseen-text">{status}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const AGENTS_SHOWN = 30;

function Agents({ id, project }: { id: string; project: string }) {
  const { answer } = useAsked("GET /api/sessions/{id}/agents", { path: { id }, query: { project } });
  const agents = answer?.agents ?? [];
  if (agents.length === 0) return null;
  return (
    <section>
      <h2 class="inspector-title">Sub-agents ({agents.length})</h2>
      <ul class="todos">
        {agents
          .slice(0, AGENTS_SHOWN)
          .map(({ agentId, agentType, description, hasTranscript, taskId, launchedBy }) => (
            <li key={agentId}>
              <Icon name="agent" />
              <span class="any">
                {hasTranscript ? (
                  <a href={sessionUrl(id, { project, agent: agentId })}>
                    {description ?? agentType ?? agentId}
                  </a>
                ) : (
                  (description ?? agentType ?? agentId)
                )}{" "}
                {launchedBy && (
                  <a class="third" href={sessionUrl(id, { project, uuid: launchedBy })}>
                    launched here
                  </a>
                )}{" "}
                {taskId && <a href={taskUrl(taskId)}>task</a>}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}

function Files({ id, project }: { id: string; project: string }) {
  const { answer } = useAsked("GET /api/sessions/{id}/files", { path: { id }, query: { project } });
  const paths = [...new Set(answer?.turns.flatMap(({ files }) => files.map(({ path }) => path)) ?? [])];
  if (paths.length === 0) return null;
  return (
    <section>
      <h2 class="inspector-title">Files touched ({paths.length})</h2>
      <ul class="todos">
        {paths.slice(0, AGENTS_SHOWN).map((path) => (
          <li key={path}>
            <Icon name="file" />
            <a
              class="any"
              href={`${sessionUrl(id, { project, tab: "files" })}#f=${encodeURIComponent(path)}`}
              title={path}
            >
              {folderName(path)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Used({ id, project, agent }: { id: string; project: string; agent: string | null }) {
  const { answer } = useAsked("GET /api/sessions/{id}/usage", {
    path: { id },
    query: { project, agent: agent ?? undefined },
  });
  if (!answer || answer.models.length === 0) return null;
  return (
    <section>
      <h2 class="inspector-title">What it used</h2>
      <dl class="facts">
        <dt>cost</dt>
        <dd>{answer.costUsd === null ? "no known price" : formatDollars(answer.costUsd)}</dd>
        {answer.contextTokens !== null && (
          <>
            <dt>context now</dt>
            <dd>{formatTokens(answer.contextTokens)} tokens</dd>
          </>
        )}
        {answer.models.map(({ model, inputTokens, outputTokens, cacheReadTokens }) => (
          <div class="model-facts" key={model}>
            <dt class="any">{model}</dt>
            <dd>
              {formatTokens(inputTokens)} in, {formatTokens(outputTokens)} out,{" "}
              {formatTokens(cacheReadTokens)} from the cache
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
