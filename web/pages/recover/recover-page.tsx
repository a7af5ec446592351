import { useEffect } from "preact/hooks";
import type { Answer } from "../../api/route-shapes.ts";
import { formatDuration, plural } from "../../../src/lib/quantities.ts";
import { onEvent } from "../../live/event-bus.ts";
import { useAsked } from "../../parts/asked.ts";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Suggestion } from "../../parts/suggestion.tsx";
import { ago } from "../../parts/when.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";

type Recover = Answer<"GET /api/recover">;
type Item = Recover["lost"][number];

const sections: {
  key: "lost" | "finishedUnseen" | "running" | "leftToClient";
  title: string;
  text: string;
}[] = [
  { key: "lost", title: "Lost", text: "gone without an ending that anybody recorded" },
  { key: "finishedUnseen", title: "Finished, and nobody was told", text: "the answers are here" },
  { key: "running", title: "Still running", text: "by whomever it was started" },
  { key: "leftToClient", title: "Left to the client", text: "it runs, and tells its session by itself" },
];

/** What was going on when something crashed, and the action that fits each. */
export function RecoverPage() {
  const { answer, error, askAgain } = useAsked("GET /api/recover", {});
  useEffect(() => setTitle("Recover"), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onEvent("task", ({ is }) => {
      if (is === "changed") return;
      clearTimeout(timer);
      timer = setTimeout(askAgain, 500);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, []);
  if (error && !answer) return <Trouble error={error} onRetry={askAgain} />;
  if (!answer) return <Loading />;
  const isEmpty = sections.every(({ key }) => answer[key].length === 0);
  return (
    <div class="page">
      <div class="page-in">
        <div class="bar">
          <h1>Recover</h1>
          <button type="button" class="button push" onClick={askAgain}>
            Look again
          </button>
        </div>
        {answer.duplicates.map(({ fingerprint, description, ids }) => (
          <p class="notice-line is-warning" key={fingerprint}>
            <span>
              The same work was launched {plural(ids.length, "time")}: {description} (
              {ids.map((id, index) => (
                <span key={id}>
                  {index > 0 && ", "}
                  <a class="mono" href={taskUrl(id)}>
                    {id}
                  </a>
                </span>
              ))}
              ). Look before you start it again.
            </span>
          </p>
        ))}
        {isEmpty && (
          <Empty title="Nothing to recover">
            <p>Everything that was launched has an ending, and somebody was told of it.</p>
          </Empty>
        )}
        {sections.map(({ key, title, text }) =>
          answer[key].length === 0 ? null : (
            <section key={key} aria-label={title}>
              <div class="section-head">
                <h2>{title}</h2>
                <span class="third">{text}</span>
              </div>
              <ul class="stack">
                {answer[key].map((item) => (
                  <li key={item.id}>
                    <RecoverItem item={item} onDone={askAgain} />
                  </li>
                ))}
              </ul>
            </section>
          ),
        )}
      </div>
    </div>
  );
}

function RecoverItem({ item, onDone }: { item: Item; onDone: () => void }) {
  const {
    id,
    owner,
    kind,
    description,
    prompt,
    agentType,
    cwd,
    machine,
    sessionId,
    status,
    startedAt,
    endedAt,
    result,
    detail,
    knownBy,
    actions,
  } = item;
  return (
    <article class="card recover-item">
      <div class="bar">
        <Status status={status} />
        <b class="any grow">
          {owner === "holdfast" ? <a href={taskUrl(id)}>{description || prompt}</a> : description || prompt}
        </b>
        <span class="third">
          {ago(endedAt ?? startedAt)}
          {endedAt && `, took ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`}
        </span>
      </div>
      <p class="second any">
        {[
          agentType ?? (kind === "local_bash" ? "command" : kind),
          cwd,
          machine,
          owner === "client" ? "launched by a client" : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {detail && <p class="any">{detail}</p>}
      {result && <pre class="given-lines">{result}</pre>}
      <p class="third">
        Known by {knownBy.join(", ")}
        {sessionId && (
          <>
            {" · "}
            <a href={sessionUrl(sessionId)}>its session</a>
          </>
        )}
      </p>
      {actions.length > 0 && (
        <div class="bar">
          {actions.map((next) => (
            <Suggestion key={next.command} next={next} onDone={onDone} />
          ))}
        </div>
      )}
    </article>
  );
}
