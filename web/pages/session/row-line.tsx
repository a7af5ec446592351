import type { ComponentChildren } from "preact";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { copyText } from "../../parts/copy.tsx";
import { sessionUrl } from "../../routing/routes.ts";
import { forkSession, askToUndo } from "./session-actions.tsx";
import { ItemView } from "./item-view.tsx";
import { showEntry } from "./show-entry.tsx";
import type { Row, Transcript } from "./row-store.ts";

/** One row of a conversation, with what can be done at it. */
export function RowLine({
  row,
  transcript,
  isUnfolded,
  isMarked,
  before,
}: {
  row: Row;
  transcript: Transcript;
  isUnfolded: boolean;
  isMarked: boolean;
  /** What stands between it and the row above. */
  before?: ComponentChildren;
}) {
  const { uuid } = row;
  // An empty thought takes no room.
  if (row.items.length === 0) return null;
  const isPrompt = row.items.some(({ kind }) => kind === "prompt");
  const { id, project, agent } = transcript;
  return (
    <article
      class={`said-row ${isMarked ? "is-marked" : ""}`}
      data-uuid={uuid ?? undefined}
      aria-posinset={(row.row ?? 0) + 1}
      aria-setsize={-1}
    >
      {before}
      <div class="row-items">
        {row.items.map((item, index) => (
          <ItemView key={index} item={item} transcript={transcript} isUnfolded={isUnfolded} />
        ))}
      </div>
      {uuid && (
        <div class="row-menu">
          <Menu label="What to do at this message">
            {!agent && <MenuItem onChoose={() => forkSession(transcript, uuid)}>Fork here …</MenuItem>}
            {isPrompt && !agent && (
              <MenuItem onChoose={() => void askToUndo(transcript, uuid)}>
                Put files back to before this …
              </MenuItem>
            )}
            <MenuItem
              onChoose={() =>
                void copyText(
                  location.origin + sessionUrl(id, { project: project ?? null, agent: agent ?? null, uuid }),
                  "Copied the link",
                )
              }
            >
              Copy a link to it
            </MenuItem>
            <MenuItem onChoose={() => showEntry(transcript, uuid)}>Show the entry as it is stored</MenuItem>
          </Menu>
        </div>
      )}
    </article>
  );
}
