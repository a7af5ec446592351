import type { Answer } from "../../api/route-shapes.ts";
import { formatCount } from "../../../src/lib/quantities.ts";
import { FindField } from "../../parts/find-field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { go, withQuery } from "../../routing/place.ts";
import { nextOf } from "./conversation-keys.tsx";
import type { FoundRows } from "./found-rows.ts";
import type { Header, Transcript } from "./row-store.ts";

type Digest = Answer<"GET /api/sessions/{id}/digest">;

/** Finding, jumping, and which part or branch of the conversation is shown. */
export function ConversationTools({
  header,
  transcript,
  found,
  digest,
  first,
  onGoTo,
}: {
  header: Header;
  transcript: Transcript;
  found: FoundRows;
  digest: Digest | undefined;
  first: number;
  onGoTo: (row: number) => void;
}) {
  const prompts = digest?.prompts ?? [];
  const at = prompts.findLastIndex((row) => row <= first);
  const jump = (step: 1 | -1): void => {
    const row = nextOf(prompts, first, step);
    if (row !== undefined) onGoTo(row);
  };
  const branches = header.branches.length;
  return (
    <div class="tool-strip">
      <FindField label="Find in the conversation" value={found.words} onFind={found.find} />
      {found.words !== "" && (
        <>
          <span class="second" role="status">
            {found.count === 0
              ? found.isDone
                ? "nothing found"
                : "searching …"
              : `${found.at + 1} of ${formatCount(found.count)}`}
          </span>
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Previous match"
            onClick={() => found.step(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Next match"
            onClick={() => found.step(1)}
          >
            <Icon name="down" />
          </button>
        </>
      )}
      {prompts.length > 1 && (
        <span class="bar push prompt-jump">
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Previous prompt"
            title="Previous prompt ([)"
            onClick={() => jump(-1)}
          >
            <Icon name="up" />
          </button>
          <span class="third">
            prompt {Math.max(1, at + 1)} of {formatCount(prompts.length)}
          </span>
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Next prompt"
            title="Next prompt (])"
            onClick={() => jump(1)}
          >
            <Icon name="down" />
          </button>
        </span>
      )}
      {header.contextFrom > 0 || transcript.view === "context" ? (
        <select
          class="field"
          aria-label="Which part"
          value={transcript.view}
          onChange={(event) =>
            go(withQuery({ view: event.currentTarget.value === "context" ? "context" : undefined }))
          }
        >
          <option value="whole">whole conversation</option>
          <option value="context">what the model still knows</option>
        </select>
      ) : null}
      {(branches > 0 || transcript.leaf !== undefined) && (
        <select
          class="field"
          aria-label="Branch"
          value={transcript.leaf ?? ""}
          onChange={(event) => go(withQuery({ leaf: event.currentTarget.value || undefined }))}
        >
          <option value="">newest branch</option>
          {header.branches.map((leaf, index) => (
            <option key={leaf} value={leaf}>
              branch {index + 1} of {branches}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
