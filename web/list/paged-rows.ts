import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asApiError } from "../parts/asked.ts";
import type { ApiError } from "../api/api-error.ts";

export interface RowsPage<Row> {
  rows: Row[];
  total: number;
}

export interface PagedRows<Row> {
  /** Undefined until the first page is there. */
  total: number | undefined;
  error: ApiError | undefined;
  rowAt: (index: number) => Row | undefined;
  /** Says which rows are in sight: those that are missing are asked for. */
  show: (range: { from: number; to: number }) => void;
  /** Asks again for what is in sight; the rest when it comes into sight. */
  refresh: () => void;
}

const PAGE_ROWS = 100;
/** Pages that are kept; the one that was longest out of sight goes first. */
const PAGES_MAX = 40;

/** A long list of which only what is in sight is asked for. With another `key` it is another list. */
export function usePagedRows<Row>(
  key: string,
  read: (page: { from: number; limit: number }, signal: AbortSignal) => Promise<RowsPage<Row>>,
): PagedRows<Row> {
  const pages = useRef(new Map<number, Row[]>());
  const asked = useRef(new Set<number>());
  const range = useRef({ from: 0, to: 1 });
  const stop = useRef(new AbortController());
  const [state, setState] = useState<{ key: string; total?: number; error?: ApiError; round: number }>({
    key,
    round: 0,
  });

  const readPage = async (page: number, signal: AbortSignal): Promise<void> => {
    try {
      const { rows, total } = await read({ from: page * PAGE_ROWS, limit: PAGE_ROWS }, signal);
      if (signal.aborted) return;
      pages.current.delete(page);
      pages.current.set(page, rows);
      for (const oldest of pages.current.keys()) {
        if (pages.current.size <= PAGES_MAX) break;
        pages.current.delete(oldest);
        asked.current.delete(oldest);
      }
      setState(({ round }) => ({ key, total, round: round + 1 }));
    } catch (error) {
      asked.current.delete(page);
      if (!signal.aborted)
        setState((old) => ({ ...old, key, error: asApiError(error), round: old.round + 1 }));
    }
  };
  const load = useCallback(
    (page: number): void => {
      if (asked.current.has(page)) return;
      asked.current.add(page);
      void readPage(page, stop.current.signal);
    },
    [key],
  );
  const loadShown = useCallback((): void => {
    const last = Math.floor(Math.max(range.current.from, range.current.to - 1) / PAGE_ROWS);
    for (let page = Math.floor(range.current.from / PAGE_ROWS); page <= last; page++) load(page);
  }, [load]);
  const refresh = useCallback((): void => {
    asked.current.clear();
    loadShown();
  }, [loadShown]);
  useEffect(() => {
    pages.current.clear();
    asked.current.clear();
    range.current = { from: 0, to: 1 };
    stop.current = new AbortController();
    loadShown();
    return () => stop.current.abort();
  }, [key]);

  const isCurrent = state.key === key;
  return {
    total: isCurrent ? state.total : undefined,
    error: isCurrent ? state.error : undefined,
    rowAt: (index) => pages.current.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    show: (shown) => {
      range.current = shown;
      loadShown();
    },
    refresh,
  };
}
