import { useMemo } from "preact/hooks";
import { parsePatch, type DiffLine } from "./parse-patch.ts";
import { Icon } from "../parts/icon.tsx";

export interface LinePlace {
  line: number;
  side: "old" | "new";
  quote: string;
}

/** A unified difference, with numbers and marks of the words that changed; each line can be commented on. */
export function DiffView({
  patch,
  label,
  onComment,
}: {
  patch: string;
  label: string;
  onComment?: (place: LinePlace) => void;
}) {
  const lines = useMemo(() => parsePatch(patch), [patch]);
  return (
    <div class="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, index) => (
        <DiffRow key={index} line={line} onComment={onComment} />
      ))}
    </div>
  );
}

function DiffRow({
  line,
  onComment,
}: {
  line: DiffLine;
  onComment: ((place: LinePlace) => void) | undefined;
}) {
  const { kind, oldLine, newLine, runs } = line;
  if (kind === "hunk") return <div class="diff-line is-hunk">{runs.map(({ text }) => text)}</div>;
  const sign = { added: "+", removed: "−", same: " " }[kind];
  const place: LinePlace = {
    line: (kind === "removed" ? oldLine : newLine)!,
    side: kind === "removed" ? "old" : "new",
    quote: runs.map(({ text }) => text).join(""),
  };
  return (
    <div class={`diff-line is-${kind}`}>
      <span class="diff-number">{oldLine}</span>
      <span class="diff-number">{newLine}</span>
      <span class="diff-sign">{sign}</span>
      <span class="diff-text">
        {runs.map(({ text, isChanged }, index) => (isChanged ? <ins key={index}>{text}</ins> : text))}
      </span>
      {onComment && (
        <button
          type="button"
          class="diff-comment"
          aria-label={`Comment on line ${place.line}`}
          onClick={() => onComment(place)}
        >
          <Icon name="plus" size={12} />
        </button>
      )}
    </div>
  );
}
