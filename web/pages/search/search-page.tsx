import { useEffect } from "preact/hooks";
import type { Answer, Asked } from "../../api/route-shapes.ts";
import { formatCount } from "../../../src/lib/quantities.ts";
import { useAsked } from "../../parts/asked.ts";
import { FindField } from "../../parts/find-field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { folderName } from "../../parts/task-row.tsx";
import { ago, daysAgo } from "../../parts/when.ts";
import { go, place, withQuery } from "../../routing/place.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";

type Hit = Answer<"GET /api/search">["hits"][number];
type Query = Asked<"GET /api/search">["query"];

const roles = {
  "": "said by anyone",
  user: "said by you",
  assistant: "said by the agent",
  tool: "from tools",
};
const times = { "": "any time", 1: "today", 7: "last 7 days", 30: "last 30 days" };
const HITS_STEP = 50;

/** Finds what was said in any session, and tasks, as one types. */
export function SearchPage() {
  const { query } = place.value;
  const words = query.get("q") ?? "";
  const limit = Number(query.get("limit") ?? HITS_STEP);
  useEffect(() => setTitle(words === "" ? "Search" : `Search: ${words}`), [words]);
  const asked: NonNullable<Query> = {
    q: words,
    role: (query.get("role") as Hit["role"] | null) ?? undefined,
    since: query.has("since") ? daysAgo(Number(query.get("since"))) : undefined,
    isRegex: query.has("regex") ? true : undefined,
    limit,
  };
  const { answer, error, isAsking } = useAsked(
    "GET /api/search",
    words.trim() === "" ? undefined : { query: asked },
  );
  const setFilter = (name: string, value: string | undefined): void =>
    go(withQuery({ [name]: value }), { isReplacing: true });
  return (
    <div class="page">
      <div class="page-in">
        <h1>Search</h1>
        <div class="stack" role="search">
          <FindField
            label="Words in any session or task"
            value={words}
            onFind={(next) => setFilter("q", next)}
            isFocused
          />
          <div class="bar filters">
            <select
              class="field"
              aria-label="Who said it"
              value={query.get("role") ?? ""}
              onChange={(event) => setFilter("role", event.currentTarget.value)}
            >
              {Object.entries(roles).map(([role, text]) => (
                <option key={role} value={role}>
                  {text}
                </option>
              ))}
            </select>
            <select
              class="field"
              aria-label="When"
              value={query.get("since") ?? ""}
              onChange={(event) => setFilter("since", event.currentTarget.value)}
            >
              {Object.entries(times).map(([since, text]) => (
                <option key={since} value={since}>
                  {text}
                </option>
              ))}
            </select>
            <label class="check">
              <input
                type="checkbox"
                checked={query.has("regex")}
                onChange={(event) => setFilter("regex", event.currentTarget.checked ? "1" : undefined)}
              />
              regular expression
            </label>
            {answer && words !== "" && (
              <span class="third push" role="status">
                {formatCount(answer.total)} found in {answer.tookMs} ms
                {answer.hasIndex ? "" : ", without an index"}
              </span>
            )}
          </div>
        </div>
        {words.trim() === "" ? (
          <Empty title="What was it?">
            <p>
              Every word that you and your agents have said, every command, every result. A hit leads to the
              message.
            </p>
          </Empty>
        ) : error ? (
          <Trouble error={error} />
        ) : !answer ? (
          isAsking && <Loading />
        ) : answer.hits.length === 0 ? (
          <Empty title="Nothing found">
            <p>Fewer words find more; a part of a word ends with *.</p>
          </Empty>
        ) : (
          <ol class="hits">
            {answer.hits.map((hit, index) => (
              <li key={index}>
                <HitRow hit={hit} />
              </li>
            ))}
          </ol>
        )}
        {answer && answer.hits.length < answer.total && answer.hits.length >= limit && (
          <div>
            <button
              type="button"
              class="button"
              onClick={() => setFilter("limit", String(limit + HITS_STEP))}
            >
              Show more
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

function HitRow({ hit }: { hit: Hit }) {
  const { sessionId, project, uuid, agentId, taskId, cwd, role, timestamp, title } = hit;
  const href = taskId ? taskUrl(taskId) : sessionUrl(sessionId ?? "", { project, agent: agentId, uuid });
  return (
    <a class="hit" href={href}>
      <span class="hit-head">
        <Icon name={taskId ? "tasks" : agentId ? "agent" : "sessions"} />
        <b class="cut" dir="auto">
          {title ?? taskId ?? sessionId}
        </b>
        <span class="third cut">{cwd && folderName(cwd)}</span>
        <span class="third push">
          {role} {ago(timestamp)}
        </span>
      </span>
      <span class="hit-text any" dir="auto">
        <Marked text={hit.snippet} ranges={hit.highlights} />
      </span>
    </a>
  );
}

/** A text with its ranges marked. */
export function Marked({
  text,
  ranges,
}: {
  text: string;
  ranges: readonly { start: number; end: number }[];
}) {
  const pieces = ranges.flatMap(({ start, end }, index) => [
    text.slice(index === 0 ? 0 : ranges[index - 1]!.end, start),
    <mark key={start}>{text.slice(start, end)}</mark>,
  ]);
  return (
    <>
      {pieces}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  );
}
