import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import {
  answeredOf,
  dismissQuestion,
  noteAnswered,
  type Answered,
  type Question,
} from "../live/live-questions.ts";
import { Icon } from "../parts/icon.tsx";
import { spanOf, timeOf } from "../parts/when.ts";
import { taskUrl } from "../routing/routes.ts";
import { useKeys } from "../shell/keys.ts";
import { sayError } from "../shell/toasts.tsx";
import { QuestionLines } from "./question-lines.tsx";

/** Buttons do nothing before: a click that was meant for what stood there must not allow anything. */
const ARMED_MS = 500;
const SHOWN_AFTER_MS = 2500;

type Step = "choose" | "always" | "deny";

/** A question of an agent. What is shown is what is answered: the answer names this request, and no other. */
export function QuestionCard({ question, isCurrent = false }: { question: Question; isCurrent?: boolean }) {
  const { taskId, requestId } = question;
  const [step, setStep] = useState<Step>("choose");
  const [isArmed, setArmed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const answered = answeredOf(requestId);

  useEffect(() => {
    setArmed(false);
    const timer = setTimeout(() => setArmed(true), ARMED_MS);
    return () => clearTimeout(timer);
  }, [requestId]);
  useEffect(() => {
    if (!answered?.isYours) return;
    const timer = setTimeout(() => dismissQuestion(requestId), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [answered]);

  const answer = async (body: Parameters<typeof send>[1]): Promise<void> => {
    if (!isArmed || isBusy || answered !== undefined) return;
    setBusy(true);
    try {
      noteAnswered(requestId, await send(taskId, body));
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  const canAnswer = isArmed && !isBusy;

  return (
    <section
      class="question"
      aria-label={`${question.agentType ?? "An agent"} asks: ${question.title}`}
      data-request={requestId}
    >
      <header class="question-head">
        <span class="status is-needs-you">
          <Icon name="diamond" />
          {question.tool}
        </span>
        <a class="cut any" href={taskUrl(taskId)}>
          {question.description || question.agentType || taskId}
        </a>
        <span class="third push">waits {spanOf(question.since, null)}</span>
      </header>
      <QuestionLines lines={question.lines} label={`What ${question.tool} is to do`} />
      {question.isCut && (
        <p class="second">Some of it is too long to be shown here; the rest is in the conversation.</p>
      )}
      <p class="third question-facts any">
        {[question.agentType, question.cwd, question.machine].filter(Boolean).join(" · ")}
      </p>
      {answered !== undefined ? (
        <AnsweredLine answered={answered} onClose={() => dismissQuestion(requestId)} />
      ) : step === "always" && question.alwaysRule !== null ? (
        <div class="question-step">
          <p>This will be allowed without asking, until this agent ends:</p>
          <pre class="given-lines any">{question.alwaysRule}</pre>
          <div class="bar">
            <button
              type="button"
              class="button is-main"
              disabled={!canAnswer}
              onClick={() => void answer({ requestId, behavior: "allow", always: true })}
            >
              Always allow this
            </button>
            <button type="button" class="button" onClick={() => setStep("choose")}>
              Back
            </button>
          </div>
        </div>
      ) : step === "deny" ? (
        <DenyStep
          isBusy={isBusy}
          onBack={() => setStep("choose")}
          onDeny={(message) => void answer({ requestId, behavior: "deny", message })}
        />
      ) : (
        <div class="bar question-buttons">
          <button
            type="button"
            class="button is-main"
            disabled={!canAnswer}
            onClick={() => void answer({ requestId, behavior: "allow" })}
          >
            Allow once
          </button>
          {question.alwaysRule !== null && (
            <button type="button" class="button" disabled={!canAnswer} onClick={() => setStep("always")}>
              Always …
            </button>
          )}
          <button type="button" class="button" disabled={!canAnswer} onClick={() => setStep("deny")}>
            Deny …
          </button>
        </div>
      )}
      {isCurrent && answered === undefined && (
        <QuestionKeys
          onAllow={() => void answer({ requestId, behavior: "allow" })}
          onAlways={() => question.alwaysRule !== null && setStep("always")}
          onDeny={() => setStep("deny")}
        />
      )}
    </section>
  );
}

function send(
  taskId: string,
  body: Parameters<typeof ask<"POST /api/tasks/{id}/answer">>[1]["body"],
): Promise<Answered> {
  return ask("POST /api/tasks/{id}/answer", { path: { id: taskId }, body });
}

function QuestionKeys({
  onAllow,
  onAlways,
  onDeny,
}: {
  onAllow: () => void;
  onAlways: () => void;
  onDeny: () => void;
}) {
  useKeys({ a: onAllow, A: onAlways, d: onDeny });
  return null;
}

function DenyStep({
  isBusy,
  onBack,
  onDeny,
}: {
  isBusy: boolean;
  onBack: () => void;
  onDeny: (message: string) => void;
}) {
  const [message, setMessage] = useState("");
  return (
    <form
      class="question-step"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(message);
      }}
    >
      <label class="labelled">
        Why not, or what instead: the agent reads it
        <textarea
          class="field"
          rows={2}
          value={message}
          ref={focusEmpty}
          onInput={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              onDeny(message);
            } else if (event.key === "Escape") onBack();
          }}
        />
      </label>
      <div class="bar">
        <button type="submit" class="button is-main" disabled={isBusy}>
          Deny
        </button>
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}

function focusEmpty(field: HTMLTextAreaElement | null): void {
  if (field?.value === "") field.focus();
}

function AnsweredLine({ answered, onClose }: { answered: Answered | null; onClose: () => void }) {
  const text =
    answered === null
      ? "The agent has ended; nobody has to answer any more."
      : `${answered.behavior === "deny" ? "Denied" : answered.isAlways ? "Always allowed" : "Allowed"} by ${
          answered.isYours ? "you" : placeOf(answered.by)
        }, ${timeOf(answered.at)}`;
  return (
    <div class="bar question-answered" role="status">
      <Icon name={answered?.behavior === "allow" ? "check" : "info"} />
      <span class="grow">{text}</span>
      <button type="button" class="button is-quiet" onClick={onClose}>
        Put away
      </button>
    </div>
  );
}

// `cli:anna` is somebody in a terminal.
function placeOf(by: string): string {
  const [door = "", ...name] = by.split(":");
  const where: Record<string, string> = { cli: "a terminal", dashboard: "the dashboard", mcp: "an agent" };
  const who = name.join(":");
  return where[door] ? `${who || "somebody"} in ${where[door]}` : by;
}
