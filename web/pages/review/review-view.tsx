import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer, Asked } from "../../api/route-shapes.ts";
import { plural } from "../../../src/lib/quantities.ts";
import { useAsked } from "../../parts/asked.ts";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { momentOf } from "../../parts/when.ts";
import { go, place } from "../../routing/place.ts";
import { taskUrl } from "../../routing/routes.ts";
import { say, sayError } from "../../shell/toasts.tsx";
import { DiffView, type LinePlace } from "../../text/diff-view.tsx";

type Review = Answer<"GET /api/tasks/{id}/diff">;
type Comment = Asked<"POST /api/tasks/{id}/review">["body"]["comments"][number];

/** What an agent or a command changed: of a task its folder, of a session the files that it tracked, from prompt to prompt. */
export function ReviewView({
  task,
  session,
  project,
}: {
  task?: string;
  session?: string;
  project?: string | undefined;
}) {
  const [turn, setTurn] = useState("");
  const ofTask = useAsked(
    "GET /api/tasks/{id}/diff",
    task === undefined ? undefined : { path: { id: task } },
  );
  const ofSession = useAsked(
    "GET /api/sessions/{id}/diff",
    session === undefined
      ? undefined
      : { path: { id: session }, query: { project, from: turn || undefined } },
  );
  const { answer, error, askAgain } = task === undefined ? ofSession : ofTask;
  const [comments, setComments] = useState<Comment[]>([]);
  if (error) return <Trouble error={error} onRetry={askAgain} />;
  if (!answer) return <Loading />;
  const changed = answer.files.filter(({ kind }) => kind !== "same");
  return (
    <div class="page review">
      <div class="tool-strip">
        <span>
          <b>{plural(changed.length, "file")}</b>{" "}
          <span class="second">
            +{sum(changed, "added")} −{sum(changed, "removed")}
          </span>
        </span>
        {answer.turns.length > 0 && (
          <select
            class="field"
            aria-label="Since"
            value={turn}
            onChange={(event) => setTurn(event.currentTarget.value)}
          >
            <option value="">since the beginning</option>
            {answer.turns.map(({ messageId, prompt, takenAt }) => (
              <option key={messageId} value={messageId}>
                since {prompt?.slice(0, 60) ?? momentOf(takenAt)}
              </option>
            ))}
          </select>
        )}
        {answer.isCut && <span class="third">Only a part is shown: there are more changes than fit.</span>}
        <button type="button" class="button is-quiet push" onClick={askAgain}>
          <Icon name="recover" /> Look again
        </button>
      </div>
      {changed.length === 0 ? (
        <Empty title="Nothing was changed" />
      ) : (
        <div class="review-files">
          {changed.map((file) => (
            <ReviewedFile
              key={file.path}
              file={file}
              comments={comments}
              onComments={task === undefined ? undefined : setComments}
            />
          ))}
        </div>
      )}
      {task !== undefined && comments.length > 0 && (
        <SendReview task={task} comments={comments} onSent={() => setComments([])} />
      )}
    </div>
  );
}

function sum(files: Review["files"], key: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[key], 0);
}

const reasons: Record<string, string> = {
  binary: "It is not text.",
  "too-different": "The two have too little in common to be compared.",
};

/** More changes than this are unfolded when somebody wants to see them. */
const SHOWN_LINES_MAX = 400;

function ReviewedFile({
  file,
  comments,
  onComments,
}: {
  file: Review["files"][number];
  comments: Comment[];
  onComments: ((comments: Comment[]) => void) | undefined;
}) {
  const isWanted = place.value.mark.get("f") === file.path;
  const [isOpen, setOpen] = useState(isWanted || file.added + file.removed <= SHOWN_LINES_MAX);
  const [at, setAt] = useState<LinePlace>();
  const own = comments.filter(({ path }) => path === file.path);
  useEffect(() => {
    if (isWanted) document.getElementById(`file ${file.path}`)?.scrollIntoView();
  }, []);
  return (
    <section class="review-file" id={`file ${file.path}`} aria-label={file.path}>
      <button type="button" class="review-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "unfolded" : "right"} size={12} />
        <span class="mono any">{file.path}</span>
        <span class="push second">
          +{file.added} −{file.removed}
        </span>
      </button>
      {isOpen &&
        (file.kind === "changed" ? (
          <DiffView
            patch={file.patch}
            label={`Difference of ${file.path}`}
            {...(onComments && { onComment: setAt })}
          />
        ) : (
          <p class="second review-note">
            {file.kind === "unknown" ? `What changed is not known: ${file.reason}.` : reasons[file.kind]}
          </p>
        ))}
      {own.map((comment, index) => (
        <div class="review-comment" key={index}>
          <span class="third">line {comment.line}</span>
          <span class="any">{comment.text}</span>
          <button
            type="button"
            class="button is-quiet is-icon push"
            aria-label="Take the comment back"
            onClick={() => onComments?.(comments.filter((each) => each !== comment))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {at && onComments && (
        <CommentBox
          at={at}
          onClose={() => setAt(undefined)}
          onSave={(text) => {
            onComments([
              ...comments,
              { path: file.path, line: at.line, side: at.side, quote: at.quote, text },
            ]);
            setAt(undefined);
          }}
        />
      )}
    </section>
  );
}

function CommentBox({
  at,
  onClose,
  onSave,
}: {
  at: LinePlace;
  onClose: () => void;
  onSave: (text: string) => void;
}) {
  const [text, setText] = useState("");
  return (
    <form
      class="review-comment is-new"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onSave(text);
      }}
    >
      <label class="labelled grow">
        Line {at.line}
        <textarea
          class="field"
          rows={2}
          ref={focusEmpty}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button is-main">
        Comment
      </button>
      <button type="button" class="button" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}

function focusEmpty(field: HTMLTextAreaElement | null): void {
  if (field?.value === "") field.focus();
}

function SendReview({ task, comments, onSent }: { task: string; comments: Comment[]; onSent: () => void }) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const done = await ask("POST /api/tasks/{id}/review", {
        path: { id: task },
        body: { comments, ...(text && { text }) },
      });
      say(done.sent === "message" ? "Sent to the agent" : "The agent goes on with your comments", {
        label: "Open",
        run: () => go(taskUrl(done.task.id)),
      });
      onSent();
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="send-box review-send">
      <textarea
        class="field"
        rows={1}
        aria-label="What else to say"
        placeholder="What else to say"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="button" class="button is-main" disabled={isBusy} onClick={() => void send()}>
        Send {plural(comments.length, "comment")} as one message
      </button>
    </div>
  );
}
