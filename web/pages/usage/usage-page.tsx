import { useEffect } from "preact/hooks";
import type { Answer, Asked } from "../../api/route-shapes.ts";
import { formatCount, formatDollars, formatTokens } from "../../../src/lib/quantities.ts";
import { useAsked } from "../../parts/asked.ts";
import { daysAgo } from "../../parts/when.ts";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { go, place, withQuery } from "../../routing/place.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";
import { DayChart } from "./day-chart.tsx";

type By = NonNullable<NonNullable<Asked<"GET /api/usage">["query"]>["by"]>;
type Row = Answer<"GET /api/usage">["rows"][number];

const groups = {
  day: "Day",
  model: "Model",
  project: "Project",
  session: "Session",
  task: "Task",
  agent: "Agent",
};
const spans = { 7: "last 7 days", 30: "last 30 days", 90: "last 90 days", all: "always" };
const ROWS_SHOWN_MAX = 200;

/** Tokens and cost of every message, once. */
export function UsagePage() {
  const { query } = place.value;
  const by = (query.get("by") ?? "day") as By;
  const since = query.get("since") ?? "30";
  useEffect(() => setTitle("Usage"), []);
  const sinceAsked = since === "all" ? undefined : daysAgo(Number(since));
  const { answer, error, askAgain } = useAsked("GET /api/usage", { query: { by, since: sinceAsked } });
  const isCurrent = answer?.by === by;
  return (
    <div class="page">
      <div class="page-in">
        <div class="bar">
          <h1>Usage</h1>
          <select
            class="field push narrow-field"
            aria-label="Time"
            value={since}
            onChange={(event) => go(withQuery({ since: event.currentTarget.value }))}
          >
            {Object.entries(spans).map(([span, text]) => (
              <option key={span} value={span}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <nav class="tabs page-tabs" aria-label="Grouped by">
          {Object.entries(groups).map(([group, text]) => (
            <a key={group} href={withQuery({ by: group })} aria-current={group === by ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        {error ? (
          <Trouble error={error} onRetry={askAgain} />
        ) : !answer || !isCurrent ? (
          <Loading />
        ) : answer.rows.length === 0 ? (
          <Empty title="Nothing was used in this time" />
        ) : (
          <>
            <Totals totals={answer.totals} />
            {by === "day" && answer.rows.length > 1 && <DayChart rows={answer.rows} />}
            <UsageTable rows={by === "day" ? answer.rows.toReversed() : answer.rows} by={by} />
          </>
        )}
      </div>
    </div>
  );
}

function Totals({ totals }: { totals: Answer<"GET /api/usage">["totals"] }) {
  const {
    costUsd,
    messages,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheCreationTokens,
    unpricedMessages,
  } = totals;
  const figures: [string, string][] = [
    ["cost", costUsd === null ? "unknown" : formatDollars(costUsd)],
    ["messages", formatCount(messages)],
    ["input", formatTokens(inputTokens)],
    ["output", formatTokens(outputTokens)],
    ["from the cache", formatTokens(cacheReadTokens)],
    ["into the cache", formatTokens(cacheCreationTokens)],
  ];
  return (
    <section aria-label="All together">
      <dl class="figures-row">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {unpricedMessages > 0 && (
        <p class="third">
          The cost is without {formatCount(unpricedMessages)} messages of models without a known price.
        </p>
      )}
    </section>
  );
}

function UsageTable({ rows, by }: { rows: readonly Row[]; by: string }) {
  const most = Math.max(...rows.map(({ costUsd }) => costUsd ?? 0), 1e-9);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={`Usage by ${by}`}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{by}</th>
            <th scope="col">cost</th>
            <th scope="col">messages</th>
            <th scope="col">input</th>
            <th scope="col">output</th>
            <th scope="col">from cache</th>
            <th scope="col">into cache</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_SHOWN_MAX).map((row) => (
            <tr key={row.key}>
              <td>
                <KeyLink by={by} value={row.key} />
                <div class="share" style={{ width: `${((row.costUsd ?? 0) / most) * 100}%` }} />
              </td>
              <td>{row.costUsd === null ? "–" : formatDollars(row.costUsd)}</td>
              <td>{formatCount(row.messages)}</td>
              <td>{formatTokens(row.inputTokens)}</td>
              <td>{formatTokens(row.outputTokens)}</td>
              <td>{formatTokens(row.cacheReadTokens)}</td>
              <td>{formatTokens(row.cacheCreationTokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_SHOWN_MAX && (
        <p class="third">
          The first {ROWS_SHOWN_MAX} of {formatCount(rows.length)}. On the command line: holdfast usage --by{" "}
          {by}
        </p>
      )}
    </div>
  );
}

function KeyLink({ by, value }: { by: string; value: string }) {
  if (by === "session")
    return (
      <a class="mono" href={sessionUrl(value)}>
        {value}
      </a>
    );
  if (by === "task")
    return (
      <a class="mono" href={taskUrl(value)}>
        {value}
      </a>
    );
  return <span class="any">{value}</span>;
}
