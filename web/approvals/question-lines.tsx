import type { Answer } from "../api/route-shapes.ts";

type Line = Answer<"GET /api/questions">["questions"][number]["lines"][number];

/** What a tool is given, whole: its command, its difference, its arguments. */
export function QuestionLines({ lines, label }: { lines: readonly Line[]; label: string }) {
  return (
    <div class="given-lines" tabIndex={0} role="group" aria-label={label}>
      {lines.map(({ kind, text }, index) => (
        <div class={`given is-${kind}`} key={index}>
          {text === "" ? " " : text}
        </div>
      ))}
    </div>
  );
}
