import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { QuestionCard } from "../../approvals/question-card.tsx";
import { formatCount, plural } from "../../../src/lib/quantities.ts";
import { VirtualList } from "../../list/virtual-list.tsx";
import { questions } from "../../live/live-questions.ts";
import { useAsked } from "../../parts/asked.ts";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { place } from "../../routing/place.ts";
import { sayError } from "../../shell/toasts.tsx";
import { ConversationTools } from "./conversation-tools.tsx";
import { ConversationKeys } from "./conversation-keys.tsx";
import { foldRows, type FoldedRun } from "./fold-rows.ts";
import { Minimap } from "./minimap.tsx";
import { RowStore, type Header, type Row, type Transcript } from "./row-store.ts";
import { RowLine } from "./row-line.tsx";
import { useFoundRows } from "./found-rows.ts";

/** Rows are read so far before they come into sight. */
const AHEAD_ROWS = 40;

/** A conversation, however long: from its end, or from the message that the address names. */
export function ConversationView({
  id,
  project,
  agent,
  taskId,
}: {
  id: string;
  project?: string | undefined;
  agent?: string | undefined;
  taskId?: string;
}) {
  const { query } = place.value;
  const transcript: Transcript = {
    id,
    project: project ?? query.get("project") ?? undefined,
    agent,
    view: query.get("view") === "context" ? "context" : "whole",
    leaf: query.get("leaf") ?? undefined,
  };
  // First what answers at once, so that it is not behind the rest in the line for a connection.
  const { answer: end } = useAsked("GET /api/sessions/{id}/end", {
    path: { id },
    query: { project: transcript.project, agent, limit: 30 },
  });
  const { view, leaf } = transcript;
  const {
    answer: header,
    error,
    askAgain,
  } = useAsked("GET /api/sessions/{id}", {
    path: { id },
    query: { project: transcript.project, agent, view: view === "whole" ? undefined : view, leaf },
  });
  if (error) return <Trouble error={error} onRetry={askAgain} />;
  const isPlain = view === "whole" && leaf === undefined;
  const meanwhile =
    end && isPlain ? <EndOnly rows={end.rows} transcript={transcript} /> : <Loading lines={10} />;
  if (!header) return meanwhile;
  if (header.rows === 0) return <Empty title="Nothing was said yet" />;
  return (
    <Rows
      key={`${header.generation} ${JSON.stringify(transcript)}`}
      header={header}
      transcript={transcript}
      taskId={taskId}
      onVoid={askAgain}
      meanwhile={meanwhile}
    />
  );
}

// What is shown while the rows are still counted.
function EndOnly({ rows, transcript }: { rows: readonly Row[]; transcript: Transcript }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollTo(0, box.current.scrollHeight), [rows]);
  return (
    <div
      class="conversation page"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="The end of the conversation"
    >
      {rows.map((row) => (
        <RowLine key={row.offset} row={row} transcript={transcript} isUnfolded={false} isMarked={false} />
      ))}
    </div>
  );
}

function Rows({
  header,
  transcript,
  taskId,
  onVoid,
  meanwhile,
}: {
  header: Header;
  transcript: Transcript;
  taskId: string | undefined;
  onVoid: () => void;
  /** What is shown until the first rows are there. */
  meanwhile: ComponentChildren;
}) {
  const [, redraw] = useState(0);
  const [store, setStore] = useState<RowStore>();
  const [isFollowing, setFollowing] = useState(true);
  const [marked, setMarked] = useState<number>();
  const [first, setFirst] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [isUnfolded, setUnfolded] = useState(false);
  const seen = useRef(header.rows);
  const list = useRef<VirtualList>(null);
  const folds = useRef(new WeakMap<readonly Row[], Map<number, FoldedRun>>());
  const wantedUuid = place.value.mark.get("e") ?? undefined;

  useEffect(() => {
    const made = new RowStore(transcript, header, () => redraw((old) => old + 1));
    made
      .show(Math.max(0, header.rows - 40), header.rows)
      .then(() => setStore(made))
      .catch(sayError);
    return () => made.close();
  }, []);
  useEffect(() => {
    if (store?.isVoid) onVoid();
  }, [store?.isVoid]);

  const goTo = async (row: number, { isMarked = true } = {}): Promise<void> => {
    if (!store) return;
    await store.show(Math.max(0, row - 20), row + 20).catch(sayError);
    // Of a folded run, the run that it is in.
    const run = foldOf(row);
    if (run) setOpened((old) => new Set([...old, run.first]));
    if (isMarked) setMarked(row);
    list.current?.scrollTo(row, "start");
  };
  const foldOf = (index: number): FoldedRun | undefined => {
    const page = store?.pageOf(index);
    if (!page) return undefined;
    if (!folds.current.has(page)) folds.current.set(page, foldRows(page));
    return folds.current.get(page)!.get(index);
  };
  useEffect(() => {
    if (store && wantedUuid)
      void store.findRow(wantedUuid).then((row) => (row === undefined ? undefined : goTo(row)), sayError);
  }, [store, wantedUuid]);
  const found = useFoundRows(transcript, (row) => void goTo(row));
  const { answer: digest, askAgain: askDigest } = useAsked("GET /api/sessions/{id}/digest", {
    path: { id: transcript.id },
    query: {
      project: transcript.project,
      agent: transcript.agent,
      view: transcript.view,
      leaf: transcript.leaf,
    },
  });
  const total = store?.total ?? header.rows;
  // The digest follows what was added, a while later.
  useEffect(() => {
    if (digest && total > digest.total) {
      const timer = setTimeout(askDigest, 1500);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [total]);

  if (!store) return meanwhile;
  if (isFollowing) seen.current = total;
  const asked = questions.value.filter(({ taskId: of }) =>
    taskId ? of === taskId : header.tasks.includes(of),
  );
  return (
    <>
      <ConversationTools
        header={header}
        transcript={transcript}
        found={found}
        digest={digest}
        first={first}
        onGoTo={(row) => void goTo(row)}
      />
      <ConversationKeys
        digest={digest}
        first={first}
        onGoTo={(row) => void goTo(row)}
        onFollow={() => list.current?.scrollToEnd()}
        onUnfoldAll={() => setUnfolded(!isUnfolded)}
      />
      {store.isGone && (
        <p class="notice-line" role="status">
          This transcript is gone: it was deleted, moved or archived while it was open. What is shown is what
          was read.
        </p>
      )}
      <div class="conversation">
        <VirtualList
          handle={list}
          label="Conversation"
          role="feed"
          count={total}
          estimate={90}
          generation={store.generation}
          follows
          onFollow={setFollowing}
          onRange={({ from, to, first: top }) => {
            setFirst(top);
            store.show(Math.max(0, from - AHEAD_ROWS), Math.min(total, to + AHEAD_ROWS)).catch(sayError);
          }}
        >
          {(index) => {
            const row = store.rowAt(index);
            if (!row) return <article class="said-row is-missing" aria-busy="true" aria-label="Loading" />;
            const run = isUnfolded ? undefined : foldOf(index);
            if (run && !opened.has(run.first))
              return (
                run.first === index && (
                  <article class="said-row" aria-label={run.label}>
                    <button
                      type="button"
                      class="fold-line"
                      aria-expanded="false"
                      onClick={() => setOpened(new Set([...opened, run.first]))}
                    >
                      <Icon name="right" size={12} />
                      <span>{run.label}</span>
                    </button>
                  </article>
                )
              );
            return (
              <RowLine
                row={row}
                transcript={transcript}
                isUnfolded={isUnfolded}
                isMarked={index === marked}
                before={
                  <>
                    {index === seen.current && !isFollowing && (
                      <div class="divider is-new">new since you looked</div>
                    )}
                    {index === header.contextFrom && index > 0 && (
                      <div class="divider" role="separator">
                        <span>From here on is what the model still knows</span>
                      </div>
                    )}
                  </>
                }
              />
            );
          }}
        </VirtualList>
        {digest && (
          <Minimap digest={digest} first={first} found={found.rows} onGoTo={(row) => void goTo(row)} />
        )}
        {!isFollowing && total > seen.current && (
          <button type="button" class="button pill" onClick={() => list.current?.scrollToEnd()}>
            <Icon name="down" /> {formatCount(total - seen.current)} new
          </button>
        )}
      </div>
      {asked.length > 0 && !taskId && (
        <div class="asked-below" role="region" aria-label={plural(asked.length, "question")}>
          {asked.map((question, index) => (
            <QuestionCard key={question.requestId} question={question} isCurrent={index === 0} />
          ))}
        </div>
      )}
    </>
  );
}
