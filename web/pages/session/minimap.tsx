import { useRef } from "preact/hooks";
import type { Answer } from "../../api/route-shapes.ts";

type Digest = Answer<"GET /api/sessions/{id}/digest">;
/** Marks of one kind that can be told apart on a bar as high as a screen. */
const SLOTS = 120;

/** Where prompts, failures, compactions and what was found are, and where one is. */
export function Minimap({
  digest,
  first,
  found,
  onGoTo,
}: {
  digest: Digest;
  first: number;
  found: readonly number[];
  onGoTo: (row: number) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const { total, prompts, failures, compactions } = digest;
  const toPoint = ({ clientY }: PointerEvent): void => {
    const { top, height } = bar.current!.getBoundingClientRect();
    onGoTo(Math.min(total - 1, Math.max(0, Math.floor(((clientY - top) / height) * total))));
  };
  const kinds = { prompt: prompts, failure: failures, compaction: compactions, found };
  return (
    <div class="minimap only-desk" ref={bar} aria-hidden="true" onPointerDown={toPoint}>
      {Object.entries(kinds).map(([kind, rows]) =>
        [...new Set(rows.map((row) => Math.floor((row / total) * SLOTS)))].map((slot) => (
          <div
            key={`${kind} ${slot}`}
            class={`minimap-mark is-${kind}`}
            style={{ top: `${(slot / SLOTS) * 100}%` }}
          />
        )),
      )}
      <div class="minimap-here" style={{ top: `${(first / Math.max(1, total)) * 100}%` }} />
    </div>
  );
}
