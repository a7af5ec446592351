import { computed, signal } from "@preact/signals";

/** Where the page is: an address of its own, which can be kept, shared and gone back to. */
export interface Place {
  path: string;
  query: URLSearchParams;
  /** What stands behind `#`, as `name=value`. */
  mark: URLSearchParams;
}

const current = signal<Place>(here());
export const place = computed(() => current.value);

export function startRouting(): void {
  addEventListener("popstate", () => (current.value = here()));
  document.addEventListener("click", followLink);
}

export function go(url: string, { isReplacing = false } = {}): void {
  if (isReplacing) history.replaceState(null, "", url);
  else if (url !== location.pathname + location.search + location.hash) history.pushState(null, "", url);
  current.value = here();
}

/** The same page with other filters: what is empty is left out. */
export function withQuery(changes: Record<string, string | undefined>): string {
  const { path, query } = current.peek();
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  const search = next.toString();
  return search === "" ? path : `${path}?${search}`;
}

function here(): Place {
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    mark: new URLSearchParams(location.hash.slice(1)),
  };
}

// A link to another page of ours is followed here; with a key held, or to elsewhere, by the browser.
function followLink(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!isPlain || event.defaultPrevented || !link || link.target !== "" || link.hasAttribute("download"))
    return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(url.pathname + url.search + url.hash);
}
