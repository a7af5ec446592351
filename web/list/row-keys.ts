import type { RefObject } from "preact";
import { useKeys } from "../shell/keys.ts";

/** `j` and `k` move the focus through the rows of a box that has all of them. */
export function useRowKeys(box: RefObject<HTMLElement | null>): void {
  const move = (step: 1 | -1): void => {
    const rows = [...(box.current?.querySelectorAll<HTMLElement>("a.task-row") ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next =
      at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1);
    rows[next]?.focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
}
