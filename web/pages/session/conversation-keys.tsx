import type { Answer } from "../../api/route-shapes.ts";
import { useKeys } from "../../shell/keys.ts";

type Digest = Answer<"GET /api/sessions/{id}/digest">;

/** The row before or behind the one at the top. */
export function nextOf(rows: readonly number[], first: number, step: 1 | -1): number | undefined {
  return step === 1 ? rows.find((row) => row > first) : rows.findLast((row) => row < first);
}

/** `[` and `]` go from prompt to prompt, `{` and `}` from failure to failure, `o` and `O` unfold. */
export function ConversationKeys({
  digest,
  first,
  onGoTo,
  onFollow,
  onUnfoldAll,
}: {
  digest: Digest | undefined;
  first: number;
  onGoTo: (row: number) => void;
  onFollow: () => void;
  onUnfoldAll: () => void;
}) {
  const jump = (kind: "prompts" | "failures", step: 1 | -1): void => {
    const row = digest && nextOf(digest[kind], first, step);
    if (row !== undefined) onGoTo(row);
  };
  useKeys({
    "[": () => jump("prompts", -1),
    "]": () => jump("prompts", 1),
    "{": () => jump("failures", -1),
    "}": () => jump("failures", 1),
    f: onFollow,
    o: unfoldOne,
    O: onUnfoldAll,
  });
  return null;
}

// The one that has the focus, or the first one in sight.
function unfoldOne(): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-unfold]");
  const top = document.querySelector(".conversation")?.getBoundingClientRect().top ?? 0;
  const inSight = [...document.querySelectorAll<HTMLElement>(".conversation [data-unfold]")].find(
    (each) => each.getBoundingClientRect().top >= top,
  );
  const one = focused ?? inSight;
  one?.click();
  one?.focus();
}
