import { counts } from "../live/live-rows.ts";
import { Icon } from "../parts/icon.tsx";
import type { PageName } from "../routing/routes.ts";
import { showPalette } from "./palette.tsx";
import { railEntries } from "./rail-entries.ts";

const parents: Partial<Record<PageName, PageName>> = {
  task: "tasks",
  session: "sessions",
  trash: "sessions",
};

export function Rail({ current }: { current: PageName | undefined }) {
  const shown = current && (parents[current] ?? current);
  const { needsYou } = counts.value;
  return (
    <nav class="rail" aria-label="Pages">
      {railEntries.map(({ page, href, icon, label, isMore }) => (
        <a
          key={page}
          href={href}
          class={`${isMore ? "rail-more" : ""} ${page === "settings" ? "rail-end" : ""}`}
          aria-current={shown === page ? "page" : undefined}
        >
          <Icon name={icon} size={20} />
          {label}
          {page === "now" && needsYou > 0 && (
            <span class="badge">
              {needsYou}
              <span class="unseen-text"> need you</span>
            </span>
          )}
        </a>
      ))}
      <button type="button" class="only-phone" onClick={showPalette}>
        <Icon name="more" size={20} />
        More
      </button>
    </nav>
  );
}
