import { useEffect, useState } from "preact/hooks";
import { QuestionCard } from "../../approvals/question-card.tsx";
import { onEvent } from "../../live/event-bus.ts";
import { liveRow, noteRows } from "../../live/live-rows.ts";
import { questions } from "../../live/live-questions.ts";
import { OutputView } from "../../output/output-view.tsx";
import { useAsked, type AskedState } from "../../parts/asked.ts";
import { Icon } from "../../parts/icon.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { Status, statusOf } from "../../parts/status.tsx";
import { titleOf } from "../../parts/task-row.tsx";
import { ago, momentOf, spanOf } from "../../parts/when.ts";
import { taskUrl } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";
import { formatDollars, formatTokens } from "../../../src/lib/quantities.ts";
import { ConversationView } from "../session/conversation-view.tsx";
import { ReviewView } from "../review/review-view.tsx";
import { EndingCard } from "./ending-card.tsx";
import { SendBox } from "./send-box.tsx";
import { TaskActions } from "./task-actions.tsx";
import { TaskInspector } from "./task-inspector.tsx";
import { TaskRecord } from "./task-record.tsx";
import type { TaskCardData } from "./task-card.ts";

// Both sides of a task want all that is known of it: it is asked once.
function useCard(id: string): AskedState<TaskCardData> {
  const asked = useAsked("GET /api/tasks/{id}", { path: { id } });
  useEffect(
    () => onEvent("task", ({ is, row }) => row.id === id && is !== "changed" && asked.askAgain()),
    [id],
  );
  return asked;
}

/** What stands beside a task. */
export function TaskAside({ id }: { id: string }) {
  const { answer } = useCard(id);
  return answer ? <TaskInspector card={answer} /> : null;
}

/** One task, kept as it is now. */
export function TaskDetail({
  id,
  tab,
  onInspect,
}: {
  id: string;
  tab: string | undefined;
  onInspect: () => void;
}) {
  const { answer, error, askAgain } = useCard(id);
  const [isGone, setGone] = useState(false);
  useEffect(() => onEvent("task-gone", (gone) => gone.id === id && setGone(true)), [id]);
  useEffect(() => {
    if (!answer) return;
    noteRows([answer.row]);
    setTitle(titleOf(answer.row));
  }, [answer]);
  if (!answer) return error ? <Trouble error={error} onRetry={askAgain} /> : <Loading lines={10} />;
  return <TaskPane card={answer} tab={tab} isGone={isGone} onChanged={askAgain} onInspect={onInspect} />;
}

function TaskPane({
  card,
  tab,
  isGone,
  onChanged,
  onInspect,
}: {
  card: TaskCardData;
  tab: string | undefined;
  isGone: boolean;
  onChanged: () => void;
  onInspect: () => void;
}) {
  const row = liveRow(card.row).value;
  const { transcript } = card.details;
  const isCommand = row.kind === "local_bash";
  const tabs = [
    ...(transcript ? [["conversation", "Conversation"]] : []),
    ["output", "Output"],
    ["files", "Changes"],
    ["record", "Record"],
  ] as [string, string][];
  const shown = tabs.find(([name]) => name === tab)?.[0] ?? tabs[0]![0];
  const asked = questions.value.filter(({ taskId }) => taskId === row.id);
  return (
    <>
      <header class="detail-head">
        <div class="detail-title">
          <a class="button is-quiet is-icon only-phone" href="/tasks" aria-label="Back to the tasks">
            <Icon name="back" />
          </a>
          <h1 class="any" dir="auto">
            {titleOf(row)}
          </h1>
          <TaskActions card={card} row={row} onChanged={onChanged} />
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
        <div class="detail-facts">
          <Status status={statusOf(row)} />
          <span>
            {row.endedAt === null
              ? `for ${spanOf(row.beganAt, null)}`
              : `${ago(row.endedAt)}, took ${spanOf(row.beganAt, row.endedAt)}`}
          </span>
          {row.agentType && <span>{row.agentType}</span>}
          {row.model && <span>{row.model}</span>}
          {row.tokens !== undefined && row.tokens > 0 && <span>{formatTokens(row.tokens)} tokens</span>}
          {row.costUsd ? <span>{formatDollars(row.costUsd)}</span> : null}
          <span class="mono any" title={momentOf(row.startedAt)}>
            {row.cwd}
          </span>
        </div>
        {isCommand && row.command !== titleOf(row) && (
          <code class="cut second" title={row.command}>
            $ {row.command}
          </code>
        )}
        {isGone && <p class="notice-line">This task was removed. What is shown is what was known.</p>}
        {asked.map((question, index) => (
          <QuestionCard key={question.requestId} question={question} isCurrent={index === 0} />
        ))}
        {card.ending && row.status !== "completed" && <EndingCard ending={card.ending} />}
      </header>
      <nav class="tabs" aria-label="Parts of the task">
        {tabs.map(([name, words]) => (
          <a
            key={name}
            href={taskUrl(row.id, name === tabs[0]![0] ? undefined : name)}
            aria-current={name === shown ? "page" : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
      <div class="pane-body">
        {shown === "output" && (
          <OutputView
            id={row.id}
            streams={card.streams}
            isRunning={row.status === "running" || row.status === "queued"}
          />
        )}
        {shown === "conversation" && transcript && (
          <ConversationView id={transcript.sessionId} agent={transcript.agentId} taskId={row.id} />
        )}
        {shown === "files" && <ReviewView task={row.id} />}
        {shown === "record" && <TaskRecord card={card} />}
      </div>
      {row.status === "running" && (!isCommand || card.details.settings.stdin) && shown !== "record" && (
        <SendBox id={row.id} isCommand={isCommand} />
      )}
    </>
  );
}
