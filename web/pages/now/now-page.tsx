import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/route-shapes.ts";
import { QuestionCard } from "../../approvals/question-card.tsx";
import { counts, noteRows } from "../../live/live-rows.ts";
import { questions } from "../../live/live-questions.ts";
import { plural } from "../../../src/lib/quantities.ts";
import { Loading, Trouble } from "../../parts/states.tsx";
import { TaskRow, type TaskRowData } from "../../parts/task-row.tsx";
import { useAsked } from "../../parts/asked.ts";
import { sayError } from "../../shell/toasts.tsx";
import { setTitle } from "../../shell/title.ts";
import { SessionRow } from "../sessions/session-row.tsx";
import { CountsLine } from "./counts-line.tsx";
import { FirstScreen } from "./first-screen.tsx";
import { StartBox } from "./start-box.tsx";
import { useStillRows } from "./still-rows.ts";
import { useRowKeys } from "../../list/row-keys.ts";

type Now = Answer<"GET /api/now">;

/** What needs somebody, what runs, what ended and how. */
export function NowPage() {
  const { answer, error, askAgain } = useAsked("GET /api/now", {});
  const box = useRef<HTMLDivElement>(null);
  const { shown, waiting, apply } = useStillRows(answer, box, askAgain);
  useRowKeys(box);
  useEffect(() => setTitle(""), []);
  useEffect(() => {
    if (!answer) return;
    counts.value = answer.counts;
    noteRows([...answer.running, ...answer.unseen, ...answer.lost, ...answer.today.tasks]);
  }, [answer]);
  if (error && !shown) return <Trouble error={error} onRetry={askAgain} />;
  if (!shown) return <Loading lines={12} />;
  return (
    <div class="page" ref={box}>
      <div class="page-in">
        <h1 class="unseen-text">Now</h1>
        <div class="bar">
          <CountsLine />
          {waiting > 0 && (
            <button type="button" class="button push" onClick={apply}>
              ↑ {plural(waiting, "change")}
            </button>
          )}
        </div>
        <NeedsYou />
        {isEmpty(shown) && questions.value.length === 0 ? (
          <FirstScreen found={shown.found} onStarted={askAgain} />
        ) : (
          <>
            <Section title="Running" rows={shown.running} filter="running" />
            <Section
              title="Ended, and nobody has looked"
              rows={shown.unseen}
              filter="attention"
              onSeen={askAgain}
            />
            <Section title="Lost" rows={shown.lost} filter="lost" onSeen={askAgain} />
          </>
        )}
        <StartBox onStarted={askAgain} />
        <Today today={shown.today} />
      </div>
    </div>
  );
}

function NeedsYou() {
  const asked = questions.value;
  if (asked.length === 0) return null;
  return (
    <section aria-label="Needs you">
      <h2 class="section-head">Needs you</h2>
      <div class="stack">
        {asked.map((question, index) => (
          <QuestionCard key={question.requestId} question={question} isCurrent={index === 0} />
        ))}
      </div>
    </section>
  );
}

const ROWS_SHOWN_MAX = 50;

function Section({
  title,
  rows,
  filter,
  onSeen,
}: {
  title: string;
  rows: TaskRowData[];
  filter: string;
  onSeen?: () => void;
}) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <span class="third">{rows.length}</span>
        {onSeen && (
          <button type="button" class="button is-quiet push" onClick={() => void markSeen(rows).then(onSeen)}>
            Mark as seen
          </button>
        )}
      </div>
      <ul class="row-box">
        {rows.slice(0, ROWS_SHOWN_MAX).map((task) => (
          <li key={task.id}>
            <TaskRow task={task} />
          </li>
        ))}
      </ul>
      {rows.length > ROWS_SHOWN_MAX && <a href={`/tasks?status=${filter}`}>All {rows.length}</a>}
    </section>
  );
}

function Today({ today: { tasks, sessions } }: { today: Now["today"] }) {
  const [isWhole, setWhole] = useState(false);
  if (tasks.length + sessions.length === 0) return null;
  const shown = isWhole ? ROWS_SHOWN_MAX : 6;
  return (
    <section aria-label="Today">
      <div class="section-head">
        <h2>Today</h2>
        <span class="third">
          {[
            tasks.length && plural(tasks.length, "task"),
            sessions.length && plural(sessions.length, "session"),
          ]
            .filter(Boolean)
            .join(", ")}
        </span>
      </div>
      <div class="today">
        {tasks.length > 0 && (
          <ul class="row-box">
            {tasks.slice(0, shown).map((task) => (
              <li key={task.id}>
                <TaskRow task={task} />
              </li>
            ))}
          </ul>
        )}
        {sessions.length > 0 && (
          <ul class="row-box">
            {sessions.slice(0, shown).map((session) => (
              <li key={`${session.project} ${session.sessionId}`}>
                <SessionRow session={session} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {!isWhole && tasks.length + sessions.length > 12 && (
        <button type="button" class="button is-quiet" onClick={() => setWhole(true)}>
          Show more
        </button>
      )}
    </section>
  );
}

async function markSeen(rows: readonly TaskRowData[]): Promise<void> {
  try {
    for (const { id } of rows)
      noteRows([(await ask("POST /api/tasks/{id}/seen", { path: { id }, body: {} })).task]);
  } catch (error) {
    sayError(error);
  }
}

function isEmpty({ running, unseen, lost, today }: Now): boolean {
  return running.length + unseen.length + lost.length + today.tasks.length === 0;
}
