import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";
import type { VirtualList } from "./virtual-list.tsx";

/** `j` and `k` move through a long list, of which only what is in sight exists; `Enter` opens. */
export function useListKeys(
  list: RefObject<VirtualList | null>,
  {
    total,
    idAt,
    open,
  }: { total: number; idAt: (index: number) => string | undefined; open: (id: string) => void },
): void {
  const at = useRef(-1);
  const move = (step: 1 | -1): void => {
    const focused = document.activeElement?.closest<HTMLElement>(".virtual-row")?.dataset["index"];
    const shown = document
      .querySelector<HTMLElement>('.is-list [aria-current="true"]')
      ?.closest<HTMLElement>(".virtual-row")?.dataset["index"];
    const from = focused ?? shown ?? (at.current >= 0 ? String(at.current) : undefined);
    at.current = Math.min(Math.max(from === undefined ? 0 : Number(from) + step, 0), total - 1);
    list.current?.scrollTo(at.current, "near");
    // Two frames, in which the row is made.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        list.current?.rowElement(at.current)?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true }),
      ),
    );
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const id = idAt(at.current);
      if (id !== undefined) open(id);
    },
  });
}
