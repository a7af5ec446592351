import { useEffect } from "preact/hooks";
import type { Answer } from "../../api/route-shapes.ts";
import { onEvent } from "../../live/event-bus.ts";
import { useAsked } from "../../parts/asked.ts";
import { CommandLine } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { ago } from "../../parts/when.ts";
import { setTitle } from "../../shell/title.ts";

type Known = Extract<Answer<"GET /api/fleet">, { workers: unknown }>;

/** While the page is looked at; the servers do not tell by themselves. */
const LOOK_MS = 3000;

/** The machines that run agents for this one, what they run, and what waits. */
export function FleetPage() {
  const { answer, error, askAgain } = useAsked("GET /api/fleet", {});
  useEffect(() => setTitle("Fleet"), []);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && askAgain(), LOOK_MS);
    const end = onEvent("stale", ({ what }) => what.includes("fleet") && askAgain());
    return () => {
      clearInterval(timer);
      end();
    };
  }, []);
  if (!answer) return error ? <Trouble error={error} onRetry={askAgain} /> : <Loading />;
  return (
    <div class="page">
      <div class="page-in">
        <h1>Fleet</h1>
        {!answer.isKnown ? (
          <Empty title="There is no fleet yet">
            <p>
              With one, agents go on when this machine is off, and another one takes over when a worker dies.
            </p>
            <CommandLine command={answer.setUp.command} />
          </Empty>
        ) : answer.error !== undefined ? (
          <div class="notice-line">
            <span class="any">The servers do not answer: {answer.error}</span>
          </div>
        ) : (
          <Overview fleet={answer} />
        )}
      </div>
    </div>
  );
}

function Overview({ fleet: { workers, sessions, queues, handOvers } }: { fleet: Known }) {
  return (
    <>
      <section aria-label="Workers">
        <div class="section-head">
          <h2>Workers</h2>
          <span class="third">{handOvers > 0 && `${handOvers} hand-overs so far`}</span>
        </div>
        {workers.length === 0 ? (
          <div class="card stack">
            <p class="second">No worker is there. Runs wait in their queue.</p>
            <CommandLine command="holdfast fleet worker" />
          </div>
        ) : (
          <ul class="row-box">
            {workers.map(({ id, host, pid, slots, busy, labels, at }) => (
              <li class="task-row" key={id}>
                <span class="row-icon">
                  <Icon name="machine" />
                </span>
                <span class="row-title">
                  <b class="cut">{host}</b>
                  {labels.map((label) => (
                    <span class="tag" key={label}>
                      {label}
                    </span>
                  ))}
                </span>
                <span class="row-side">
                  {busy} of {slots} busy
                </span>
                <span class="row-line cut mono">
                  {id}, pid {pid}
                </span>
                <span class="row-side">heard {ago(at)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Queues">
        <h2 class="section-head">Queues</h2>
        <div class="scroll-x card" tabIndex={0} role="region" aria-label="Queues">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">queue</th>
                <th scope="col">waiting</th>
                <th scope="col">with a worker</th>
                <th scope="col">given out again</th>
              </tr>
            </thead>
            <tbody>
              {queues.map(({ queue, waiting, leased, redelivered }) => (
                <tr key={queue}>
                  <td>{queue}</td>
                  <td>{waiting}</td>
                  <td>{leased}</td>
                  <td>{redelivered}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-label="Sessions on the fleet">
        <div class="section-head">
          <h2>Sessions</h2>
          <span class="third">{sessions.length}</span>
        </div>
        {sessions.length === 0 ? (
          <p class="second">None yet. Start one on the first page with “on the fleet”.</p>
        ) : (
          <ul class="row-box">
            {sessions
              .slice(0, 200)
              .map(
                ({
                  sessionId,
                  status,
                  description,
                  worker,
                  run,
                  epoch,
                  handOvers: overs,
                  origin,
                  updatedAt,
                  needsInput,
                  reason,
                }) => (
                  <li key={sessionId}>
                    <a class="task-row" href={`/tasks?session=${encodeURIComponent(sessionId)}`}>
                      <span class="row-icon">
                        <Status status={needsInput ? "needs-you" : status} isSign />
                      </span>
                      <span class="row-title">
                        <b class="cut">{description}</b>
                      </span>
                      <span class="row-side">{ago(updatedAt)}</span>
                      <span class="row-line cut">
                        {[
                          reason,
                          worker ? `on ${worker}` : "no worker yet",
                          `run ${run}, claim ${epoch}`,
                          overs > 0 ? `${overs} hand-overs` : "",
                          `from ${origin.host}`,
                        ]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </a>
                  </li>
                ),
              )}
          </ul>
        )}
      </section>
    </>
  );
}
