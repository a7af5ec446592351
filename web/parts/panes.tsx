import type { ComponentChildren } from "preact";
import { preferences, prefer } from "../shell/preferences.ts";

const WIDTH = { min: 280, max: 560 };

/** A list, what was chosen from it, and more about that. On a narrow screen one at a time. */
export function Panes({
  list,
  listLabel,
  detail,
  inspector,
  isInspectorOpen = false,
}: {
  list: ComponentChildren;
  listLabel: string;
  detail: ComponentChildren | null;
  inspector?: ComponentChildren;
  isInspectorOpen?: boolean;
}) {
  const classes = ["panes", detail && "has-detail", detail && inspector && "has-inspector"]
    .filter(Boolean)
    .join(" ");
  return (
    <div class={classes}>
      <section class="pane is-list" aria-label={listLabel}>
        {list}
        {detail && <Grip />}
      </section>
      {detail && (
        <article class="pane is-detail" aria-label="Chosen">
          {detail}
        </article>
      )}
      {detail && inspector && (
        <aside
          class={`pane is-inspector ${isInspectorOpen ? "is-open" : ""}`}
          aria-label="More about it"
          tabIndex={0}
        >
          {inspector}
        </aside>
      )}
    </div>
  );
}

// Dragged with a pointer, or moved with the arrow keys.
function Grip() {
  const { listWidth } = preferences.value;
  const setWidth = (width: number): void =>
    prefer({ listWidth: Math.round(Math.min(Math.max(width, WIDTH.min), WIDTH.max)) });
  const drag = (event: PointerEvent): void => {
    const grip = event.currentTarget as HTMLElement;
    const left = grip.parentElement!.getBoundingClientRect().left;
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = ({ clientX }) => setWidth(clientX - left);
    grip.onpointerup = () => (grip.onpointermove = null);
  };
  return (
    <div
      class="pane-grip only-desk"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={listWidth}
      aria-valuemin={WIDTH.min}
      aria-valuemax={WIDTH.max}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={({ key }) => {
        if (key === "ArrowLeft") setWidth(listWidth - 20);
        if (key === "ArrowRight") setWidth(listWidth + 20);
      }}
    />
  );
}
