import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { formatTokens } from "../../../src/lib/quantities.ts";
import { Icon } from "../../parts/icon.tsx";
import { momentOf, timeOf } from "../../parts/when.ts";
import { taskUrl } from "../../routing/routes.ts";
import { LongText, type LongTextData } from "../../text/long-text.tsx";
import { Markdown, PlainText } from "../../text/markdown.tsx";
import type { Item, Transcript } from "./row-store.ts";
import { Thumbnail, ToolView } from "./tool-view.tsx";

/** One thing of a conversation, as a person reads it. */
export function ItemView({
  item,
  transcript,
  isUnfolded,
}: {
  item: Item;
  transcript: Transcript;
  isUnfolded: boolean;
}) {
  return (
    <>
      <Shown item={item} transcript={transcript} isUnfolded={isUnfolded} />
      {item.isRetracted && <p class="third">The model took this back, and answered anew.</p>}
      {item.images?.map(({ url }) => (
        <Thumbnail key={url} url={url} />
      ))}
    </>
  );
}

function Shown({
  item,
  transcript,
  isUnfolded,
}: {
  item: Item;
  transcript: Transcript;
  isUnfolded: boolean;
}) {
  switch (item.kind) {
    case "prompt":
      return (
        <div class="prompt">
          <div class="said-head third">
            <b>You</b>
            {item.at && (
              <time dateTime={item.at} title={momentOf(item.at)}>
                {timeOf(item.at)}
              </time>
            )}
            {item.isQueued && <span>typed while it worked</span>}
          </div>
          <LongText said={item.said}>{(text) => <PlainText text={text} />}</LongText>
          {item.documents.map((name) => (
            <span class="tag" key={name}>
              <Icon name="file" size={12} /> {name}
            </span>
          ))}
        </div>
      );
    case "answer":
      return (
        <div class={`answer ${item.isRetracted ? "is-retracted" : ""}`}>
          <LongText said={item.said}>{(text) => <Markdown text={text} />}</LongText>
        </div>
      );
    case "thinking":
      return (
        <Folded label={`Thinking: ${firstLine(item.said.text)}`} isUnfolded={isUnfolded}>
          <LongText said={item.said}>{(text) => <PlainText text={text} />}</LongText>
        </Folded>
      );
    case "summary":
      return (
        <Folded label="What the model was given instead of everything before" isUnfolded={isUnfolded}>
          <LongText said={item.said}>{(text) => <Markdown text={text} />}</LongText>
        </Folded>
      );
    case "tool":
      return <ToolView tool={item} transcript={transcript} isUnfolded={isUnfolded} />;
    case "compaction":
      return (
        <div class="divider" role="separator">
          <span>
            Compacted
            {item.trigger && `, ${item.trigger}`}
            {item.tokensBefore !== undefined &&
              `, ${formatTokens(item.tokensBefore)}${item.tokensAfter === undefined ? "" : ` → ${formatTokens(item.tokensAfter)}`} tokens`}
            {item.at && `, ${momentOf(item.at)}`}
          </span>
        </div>
      );
    case "notification":
      return (
        <p class="aside">
          <Icon name="bell" />{" "}
          <a href={taskUrl(item.notification.taskId)}>
            {item.notification.summary || `Task ${item.notification.taskId} ${item.notification.status}`}
          </a>
        </p>
      );
    case "command":
      return <pre class="aside-command any">{item.text}</pre>;
    case "command-output":
      return item.text.trim() === "" ? null : (
        <LongText said={saidOf(item)}>{(text) => <pre class="aside-output any">{text}</pre>}</LongText>
      );
    case "peer":
      return (
        <div class="peer">
          <div class="said-head third">
            <b class="any">{item.name}</b>
          </div>
          <LongText said={saidOf(item)}>{(text) => <Markdown text={text} />}</LongText>
        </div>
      );
    case "notice":
      return (
        <LongText said={saidOf(item)}>
          {(text) => <p class={`any ${item.isError ? "notice-line" : "aside"}`}>{text}</p>}
        </LongText>
      );
    case "context":
      return (
        <p class="aside third">
          <Icon name="info" /> given along: {item.name}
        </p>
      );
  }
}

function Folded({
  label,
  isUnfolded,
  children,
}: {
  label: string;
  isUnfolded: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(isUnfolded);
  useEffect(() => setOpen(isUnfolded), [isUnfolded]);
  return (
    <div class="folded">
      <button
        type="button"
        class="fold-line"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        data-unfold
      >
        <Icon name={isOpen ? "unfolded" : "right"} size={12} />
        <span class="cut any">{label}</span>
      </button>
      {isOpen && <div class="folded-text">{children}</div>}
    </div>
  );
}

// What is not said by anybody has its beginning in `text`, and where all of it is beside.
function saidOf({
  text,
  whole,
}: {
  text: string;
  whole?: { bytes: number; url: string } | undefined;
}): LongTextData {
  return { text, bytes: whole?.bytes ?? text.length, url: whole?.url ?? null };
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] || "…";
}
