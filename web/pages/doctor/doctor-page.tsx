import { useEffect } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/route-shapes.ts";
import { plural } from "../../../src/lib/quantities.ts";
import { useAsked } from "../../parts/asked.ts";
import { confirmThen } from "../../parts/confirm.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { Suggestion } from "../../parts/suggestion.tsx";
import { timeOf } from "../../parts/when.ts";
import { go, place, withQuery } from "../../routing/place.ts";
import { sessionUrl, taskUrl } from "../../routing/routes.ts";
import { setTitle } from "../../shell/title.ts";
import { say } from "../../shell/toasts.tsx";

type Doctor = Answer<"GET /api/doctor">;
type Check = Doctor["checks"][number];

const groups: { name: Check["group"]; title: string }[] = [
  { name: "environment", title: "This machine" },
  { name: "tasks", title: "Tasks" },
  { name: "sessions", title: "Sessions" },
];
const marks = {
  ok: { icon: "check", word: "ok", status: "completed" },
  warn: { icon: "warn", word: "worth knowing", status: "needs-you" },
  fail: { icon: "cross", word: "broken", status: "failed" },
} as const;

/** What is wrong, and what ends it: each button shows its command first. */
export function DoctorPage() {
  const isFull = place.value.query.has("full");
  const { answer, error, isAsking, askAgain } = useAsked("GET /api/doctor", {
    query: { isFull: isFull || undefined },
  });
  useEffect(() => setTitle("Doctor"), []);
  if (!answer) return error ? <Trouble error={error} onRetry={askAgain} /> : <Loading lines={12} />;
  return (
    <div class="page">
      <div class="page-in">
        <div class="bar">
          <h1>Doctor</h1>
          <span class={`status is-${marks[answer.status].status}`}>
            <Icon name={marks[answer.status].icon} />
            {answer.status === "ok" ? "all is well" : marks[answer.status].word}
          </span>
          <span class="third">looked at {timeOf(answer.checkedAt)}</span>
          <span class="push bar">
            {!isFull && (
              <button type="button" class="button" onClick={() => go(withQuery({ full: "1" }))}>
                Look at everything
              </button>
            )}
            <button type="button" class="button" disabled={isAsking} onClick={askAgain}>
              Look again
            </button>
          </span>
        </div>
        {answer.repairs.length > 0 && <Repairs repairs={answer.repairs} onDone={askAgain} />}
        {groups.map(({ name, title }) => {
          const checks = answer.checks.filter(({ group }) => group === name);
          return checks.length === 0 ? null : (
            <section key={name} aria-label={title}>
              <h2 class="section-head">{title}</h2>
              <ul class="row-box">
                {checks.map((check) => (
                  <li key={check.name} class="check-row">
                    <CheckRow check={check} onDone={askAgain} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}

const FINDINGS_SHOWN = 20;

function CheckRow({
  check: { name, status, summary, findings, next },
  onDone,
}: {
  check: Check;
  onDone: () => void;
}) {
  const { icon, word, status: colour } = marks[status];
  return (
    <>
      <div class="bar">
        <span class={`status is-${colour}`} title={word}>
          <Icon name={icon} />
          <span class="unseen-text">{word}</span>
        </span>
        <span class="grow any">{summary}</span>
        <span class="third mono">{name}</span>
      </div>
      {findings.length > 0 && status !== "ok" && (
        <details class="findings">
          <summary>{plural(findings.length, "finding")}</summary>
          <ul>
            {findings.slice(0, FINDINGS_SHOWN).map(({ text, path, sessionId, taskId }, index) => (
              <li key={index} class="any">
                {text} {path && <span class="mono third">{path}</span>}{" "}
                {sessionId && <a href={sessionUrl(sessionId)}>session</a>}{" "}
                {taskId && <a href={taskUrl(taskId)}>task</a>}
              </li>
            ))}
          </ul>
        </details>
      )}
      {next && status !== "ok" && (
        <div class="check-next">
          <Suggestion next={next} onDone={onDone} />
        </div>
      )}
    </>
  );
}

function Repairs({ repairs, onDone }: { repairs: Doctor["repairs"]; onDone: () => void }) {
  const repair = (): void =>
    confirmThen({
      title: `Repair ${plural(repairs.length, "thing")}?`,
      text: `${repairs.map(({ text, path }) => `${text}: ${path}`).join("\n")}\n\nA backup of each file is kept.`,
      command: "holdfast doctor --repair",
      action: "Repair",
      run: async () => {
        const { repaired, failed } = await ask("POST /api/doctor/repair", { body: {} });
        say(
          failed.length === 0
            ? `Repaired ${repaired.length}`
            : `Repaired ${repaired.length}; ${failed.length} could not be: ${failed[0]!.error}`,
        );
        onDone();
      },
    });
  return (
    <div class="card bar">
      <span class="grow">{plural(repairs.length, "thing")} can be repaired, with a backup of each file.</span>
      <button type="button" class="button is-main" onClick={repair}>
        Repair …
      </button>
    </div>
  );
}
