import { useEffect, useState } from "preact/hooks";
import { formatDuration, formatTokens } from "../../../src/lib/quantities.ts";
import { QuestionLines } from "../../approvals/question-lines.tsx";
import { useAsked } from "../../parts/asked.ts";
import { Icon } from "../../parts/icon.tsx";
import { TaskRow } from "../../parts/task-row.tsx";
import { sessionUrl } from "../../routing/routes.ts";
import { LongText } from "../../text/long-text.tsx";
import { ansiRuns, plainState } from "../../text/ansi.ts";
import type { Item, Transcript } from "./row-store.ts";

export type Tool = Extract<Item, { kind: "tool" }>;
type Line = Tool["lines"][number];

/** Lines that are shown before anybody unfolds: a change is what one looks at, the rest is one key away. */
const SHOWN = { change: 24, content: 20, result: 8 };

/** A tool call with its result, as much of it as one reads in passing. */
export function ToolView({
  tool,
  transcript,
  isUnfolded,
}: {
  tool: Tool;
  transcript: Transcript;
  isUnfolded: boolean;
}) {
  const [isOpen, setOpen] = useState(isUnfolded);
  useEffect(() => setOpen(isUnfolded), [isUnfolded]);
  const { name = "result", detail, lines, result, agent, isPath } = tool;
  const isError = result?.isError === true;
  const changes = lines.filter(({ kind }) => kind === "added" || kind === "removed" || kind === "context");
  const content = lines.filter(({ kind }) => kind === "content");
  const isShell = lines.some(({ kind }) => kind === "command");
  return (
    <div class={`tool ${isError ? "is-error" : ""}`}>
      <button
        type="button"
        class="tool-head"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        data-unfold
      >
        <span class="fold-sign">
          <Icon name={isOpen ? "unfolded" : "right"} size={12} />
        </span>
        <b>{name}</b>
        <span class={`cut mono any ${isPath ? "is-path" : ""}`} dir={isPath ? "rtl" : "auto"}>
          <bdi>{detail}</bdi>
        </span>
        <ToolFacts
          tool={tool}
          added={countOf(changes, "added")}
          removed={countOf(changes, "removed")}
          contentLines={content.length}
        />
      </button>
      {isOpen ? (
        <QuestionLines lines={lines} label={`What ${name} was given`} />
      ) : (
        <>
          {changes.length > 0 && (
            <SomeLines lines={changes} max={SHOWN.change} onMore={() => setOpen(true)} />
          )}
          {changes.length === 0 && content.length > 0 && (
            <SomeLines lines={content} max={SHOWN.content} onMore={() => setOpen(true)} />
          )}
        </>
      )}
      {tool.isCut && isOpen && (
        <p class="third tool-note">Some of it is cut here; all of it is in the entry.</p>
      )}
      {agent && <AgentLine tool={tool} transcript={transcript} />}
      {result?.backgroundTaskId && <BackgroundTask id={result.backgroundTaskId} />}
      {result &&
        (isOpen || isError || isShell) &&
        result.said.text.trim() !== "" &&
        !result.backgroundTaskId && (
          <div class="tool-result">
            <LongText said={result.said}>
              {(text) => (
                <ResultText text={text} isWhole={isOpen} isError={isError} onMore={() => setOpen(true)} />
              )}
            </LongText>
          </div>
        )}
      {result?.images.map((image) => (
        <Thumbnail key={image.url} url={image.url} />
      ))}
    </div>
  );
}

function ToolFacts({
  tool,
  added,
  removed,
  contentLines,
}: {
  tool: Tool;
  added: number;
  removed: number;
  contentLines: number;
}) {
  const { at, result, agent } = tool;
  const took = at && result?.at ? Date.parse(result.at) - Date.parse(at) : undefined;
  const facts = [
    added + removed > 0 ? `+${added} −${removed}` : contentLines > 0 ? `+${contentLines}` : "",
    agent?.tokens ? `${formatTokens(agent.tokens)} tokens` : "",
    took !== undefined && took >= 1000 ? formatDuration(took) : "",
  ];
  return (
    <span class="tool-facts">
      <span class="third">{facts.filter(Boolean).join(" · ")}</span>
      {result === null ? (
        <span class="third">no result</span>
      ) : result.isError ? (
        <span class="status is-failed">
          <Icon name="cross" />
          failed
        </span>
      ) : null}
    </span>
  );
}

function countOf(lines: readonly Line[], kind: Line["kind"]): number {
  return lines.filter((line) => line.kind === kind).length;
}

function SomeLines({ lines, max, onMore }: { lines: Line[]; max: number; onMore: () => void }) {
  return (
    <div class="tool-lines">
      <QuestionLines lines={lines.slice(0, max)} label="What it changes" />
      {lines.length > max && (
        <button type="button" class="button is-quiet" onClick={onMore}>
          {lines.length - max} more lines
        </button>
      )}
    </div>
  );
}

// Of an output the end says most, of an error the beginning.
function ResultText({
  text,
  isWhole,
  isError,
  onMore,
}: {
  text: string;
  isWhole: boolean;
  isError: boolean;
  onMore: () => void;
}) {
  const lines = text.replace(/\s+$/, "").split("\n");
  const hidden = isWhole ? 0 : Math.max(0, lines.length - SHOWN.result);
  const shown = hidden === 0 ? lines : isError ? lines.slice(0, SHOWN.result) : lines.slice(-SHOWN.result);
  return (
    <>
      {hidden > 0 && (
        <button type="button" class="button is-quiet" onClick={onMore}>
          {hidden} {isError ? "more" : "earlier"} lines
        </button>
      )}
      <pre class="any" tabIndex={0} role="group" aria-label="Result">
        {shown.map((line, index) => (
          <div key={index} class="result-line">
            {ansiRuns(line, plainState).runs.map((run, at) =>
              run.classes ? (
                <span key={at} class={run.classes}>
                  {run.text}
                </span>
              ) : (
                run.text
              ),
            )}
          </div>
        ))}
      </pre>
    </>
  );
}

function AgentLine({ tool: { agent }, transcript }: { tool: Tool; transcript: Transcript }) {
  if (!agent?.id) return null;
  return (
    <a
      class="agent-link"
      href={sessionUrl(transcript.id, { project: transcript.project ?? null, agent: agent.id })}
    >
      <Icon name="agent" />{" "}
      {[agent.type, agent.description].filter(Boolean).join(": ") || "Open its conversation"}
    </a>
  );
}

/** A task that a message launched, as it is now. */
export function BackgroundTask({ id }: { id: string }) {
  const { answer, error } = useAsked("GET /api/tasks/{id}", { path: { id } });
  if (answer)
    return (
      <div class="row-box background-task">
        <TaskRow task={answer.row} />
      </div>
    );
  return error ? <p class="third">Background task {id} is not known here.</p> : null;
}

export function Thumbnail({ url }: { url: string }) {
  return (
    <a class="thumbnail" href={url} target="_blank" rel="noopener">
      <img src={url} alt="An image of the conversation" loading="lazy" />
    </a>
  );
}
