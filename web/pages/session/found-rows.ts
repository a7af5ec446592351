import { useEffect, useRef, useState } from "preact/hooks";
import { readLines } from "../../api/ask.ts";
import { sayError } from "../../shell/toasts.tsx";
import type { Transcript } from "./row-store.ts";

export interface FoundRows {
  words: string;
  count: number;
  isDone: boolean;
  rows: readonly number[];
  at: number;
  find: (words: string) => void;
  step: (by: 1 | -1) => void;
}

/** A search in the whole conversation, by the server. */
export function useFoundRows(transcript: Transcript, goTo: (row: number) => void): FoundRows {
  const [words, setWords] = useState("");
  const [state, setState] = useState<{ count: number; isDone: boolean; rows: number[] }>({
    count: 0,
    isDone: true,
    rows: [],
  });
  const [at, setAt] = useState(0);
  const go = useRef(goTo);
  go.current = goTo;
  useEffect(() => {
    setAt(0);
    setState({ count: 0, isDone: words === "", rows: [] });
    if (words === "") return;
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      const { id, ...query } = transcript;
      const rows: number[] = [];
      for await (const line of readLines(
        "GET /api/sessions/{id}/find",
        { path: { id }, query: { ...query, q: words } },
        { signal: stop.signal },
      )) {
        if (line.kind === "found") {
          rows.push(line.row);
          if (rows.length === 1) go.current(line.row);
        } else setState({ count: line.count, isDone: line.kind === "done", rows: [...rows] });
      }
      setState((old) => ({ ...old, rows, isDone: true }));
    };
    run().catch((error: unknown) => {
      if (!stop.signal.aborted) sayError(error);
    });
    return () => stop.abort();
  }, [words]);
  return {
    words,
    ...state,
    at,
    find: setWords,
    step: (by) => {
      const { rows } = state;
      if (rows.length === 0) return;
      const next = (at + by + rows.length) % rows.length;
      setAt(next);
      goTo(rows[next]!);
    },
  };
}
