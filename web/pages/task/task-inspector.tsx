import { useAsked } from "../../parts/asked.ts";
import { formatBytes, formatDollars, formatTokens } from "../../../src/lib/quantities.ts";
import { liveRow } from "../../live/live-rows.ts";
import { CommandLine } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { timeOf, momentOf } from "../../parts/when.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { EndingCard } from "./ending-card.tsx";
import type { TaskCardData } from "./task-card.ts";

/** What stands beside a task: its ending, who was told, where it came from, what it used. */
export function TaskInspector({ card }: { card: TaskCardData }) {
  const row = liveRow(card.row).value;
  return (
    <>
      {card.ending && card.ending.status === "completed" && <EndingCard ending={card.ending} />}
      {card.ledger.length > 0 && <Ledger card={card} />}
      <LaunchedBy card={card} />
      {card.cost && <Cost cost={card.cost} />}
      {row.status === "running" && <Processes id={row.id} />}
      <Commands card={card} />
    </>
  );
}

const ledgerWords = {
  queued: "queued by the ending",
  offered: "offered to",
  consumed: "delivered to",
  muted: "muted: nobody is told",
};

function Ledger({ card }: { card: TaskCardData }) {
  return (
    <section>
      <h2 class="inspector-title">Who was told</h2>
      <ol class="ledger">
        {card.ledger.map(({ state, at, by, isStandIn }, index) => (
          <li key={index}>
            <span class={`status is-${state === "consumed" ? "completed" : "stopped"}`}>
              <Icon name={state === "consumed" ? "check" : state === "muted" ? "close" : "bell"} />
            </span>
            <span>
              {ledgerWords[state]} {by && <span class="any">{by}</span>}
              {isStandIn && " instead of its owner, who is gone"}
              {at && <span class="third"> {timeOf(at)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function LaunchedBy({ card: { launch, row, before, after, children, duplicates } }: { card: TaskCardData }) {
  const links = (ids: readonly string[]) =>
    ids.map((id) => (
      <a key={id} class="mono task-link" href={taskUrl(id)}>
        {id}
      </a>
    ));
  return (
    <section>
      <h2 class="inspector-title">Where it came from</h2>
      <dl class="facts">
        <dt>started</dt>
        <dd>{momentOf(row.startedAt)}</dd>
        {launch?.sessionId && (
          <>
            <dt>message</dt>
            <dd>
              <a href={sessionUrl(launch.sessionId, { uuid: launch.uuid })}>
                {launch.uuid ? "the message that launched it" : "the session that launched it"}
              </a>
            </dd>
          </>
        )}
        {launch?.parentTaskId && (
          <>
            <dt>agent</dt>
            <dd>{links([launch.parentTaskId])}</dd>
          </>
        )}
        {launch && (
          <>
            <dt>process</dt>
            <dd>
              {launch.pid} on {launch.host}
            </dd>
          </>
        )}
        {before && (
          <>
            <dt>before</dt>
            <dd>{links([before])}</dd>
          </>
        )}
        {after.length > 0 && (
          <>
            <dt>after</dt>
            <dd>{links(after)}</dd>
          </>
        )}
        {children.length > 0 && (
          <>
            <dt>launched</dt>
            <dd>{links(children)}</dd>
          </>
        )}
        {duplicates.length > 0 && (
          <>
            <dt>same work</dt>
            <dd>{links(duplicates)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Cost({
  cost: { models, costUsd, unpricedMessages, contextTokens },
}: {
  cost: NonNullable<TaskCardData["cost"]>;
}) {
  return (
    <section>
      <h2 class="inspector-title">What it used</h2>
      <dl class="facts">
        <dt>cost</dt>
        <dd>
          {costUsd === null ? "no known price" : formatDollars(costUsd)}
          {unpricedMessages > 0 &&
            costUsd !== null &&
            `, without ${unpricedMessages} messages of unknown price`}
        </dd>
        {contextTokens !== null && (
          <>
            <dt>context now</dt>
            <dd>{formatTokens(contextTokens)} tokens</dd>
          </>
        )}
        {models.map(({ model, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }) => (
          <FactsOfModel
            key={model}
            model={model}
            text={`${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out, ${formatTokens(cacheReadTokens)} from the cache, ${formatTokens(cacheCreationTokens)} into it`}
          />
        ))}
      </dl>
    </section>
  );
}

function FactsOfModel({ model, text }: { model: string; text: string }) {
  return (
    <>
      <dt class="any">{model}</dt>
      <dd>{text}</dd>
    </>
  );
}

function Processes({ id }: { id: string }) {
  const { answer, askAgain } = useAsked("GET /api/tasks/{id}/processes", { path: { id } });
  if (!answer) return null;
  const { processes } = answer;
  const depthOf = (pid: number, seen = 0): number => {
    const parent = processes?.find((process) => process.pid === pid)?.parent;
    return seen < 20 && processes?.some((process) => process.pid === parent)
      ? 1 + depthOf(parent!, seen + 1)
      : 0;
  };
  return (
    <section>
      <div class="bar">
        <h2 class="inspector-title">Processes</h2>
        <button
          type="button"
          class="button is-quiet is-icon push"
          aria-label="Look again"
          title="Look again"
          onClick={askAgain}
        >
          <Icon name="recover" />
        </button>
      </div>
      {processes === null ? (
        <p class="second">They run where this machine cannot look.</p>
      ) : (
        <ul class="tree mono">
          {processes.map(({ pid, name, command }) => (
            <li key={pid} class="cut" style={{ paddingLeft: `${depthOf(pid) * 14}px` }} title={command}>
              <span class="third">{pid}</span> {command || name}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Commands({ card: { commands, row } }: { card: TaskCardData }) {
  const shown = Object.entries(commands).filter(([name]) => ["attach", "logs", "resume"].includes(name));
  return (
    <section class="stack">
      {shown.length > 0 && <h2 class="inspector-title">On the command line</h2>}
      {shown.map(([name, command]) => (
        <CommandLine key={name} command={command} />
      ))}
      <p class="third">
        {row.id}, {formatBytes(row.outputBytes)} of output
      </p>
    </section>
  );
}
