import { useEffect, useRef, useState } from "preact/hooks";
import { readLines } from "../api/ask.ts";
import { formatCount } from "../../src/lib/quantities.ts";
import { FindField } from "../parts/find-field.tsx";
import { Icon } from "../parts/icon.tsx";
import { sayError } from "../shell/toasts.tsx";
import type { StreamName } from "./output-source.ts";

export interface FoundInOutput {
  words: string;
  isRegex: boolean;
  count: number;
  isDone: boolean;
  marks: readonly number[];
  /** Which of the named ones is shown, and its byte. */
  at: number;
  current: number | undefined;
  find: (words: string, isRegex: boolean) => void;
  step: (by: 1 | -1) => void;
}

interface State {
  count: number;
  isDone: boolean;
  marks: readonly number[];
  offsets: number[];
}

const nothing: State = { count: 0, isDone: true, marks: [], offsets: [] };

/** A search in the whole output, by the server: counts and marks come while it goes on. */
export function useFound(id: string, stream: StreamName, goTo: (byte: number) => void): FoundInOutput {
  const [{ words, isRegex }, setWanted] = useState({ words: "", isRegex: false });
  const [state, setState] = useState(nothing);
  const [at, setAt] = useState(0);
  const go = useRef(goTo);
  go.current = goTo;
  useEffect(() => {
    setAt(0);
    setState({ ...nothing, isDone: words === "" });
    if (words === "") return;
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      let hasGone = false;
      const asked = { path: { id }, query: { stream, q: words, isRegex: isRegex || undefined } };
      for await (const line of readLines("GET /api/tasks/{id}/output/find", asked, { signal: stop.signal })) {
        if (line.kind === "found") {
          const offsets = line.offsets.map(([offset]) => offset);
          setState((old) => ({ ...old, offsets: [...old.offsets, ...offsets] }));
          if (!hasGone && offsets[0] !== undefined) {
            hasGone = true;
            go.current(offsets[0]);
          }
        } else
          setState((old) => ({ ...old, count: line.count, marks: line.marks, isDone: line.kind === "done" }));
      }
    };
    run().catch((error: unknown) => {
      if (!stop.signal.aborted) sayError(error);
    });
    return () => stop.abort();
  }, [id, stream, words, isRegex]);
  return {
    words,
    isRegex,
    ...state,
    at,
    current: state.offsets[at],
    find: (next, nextIsRegex) => setWanted({ words: next, isRegex: nextIsRegex }),
    step: (by) => {
      const { length } = state.offsets;
      if (length === 0) return;
      const next = (at + by + length) % length;
      setAt(next);
      goTo(state.offsets[next]!);
    },
  };
}

export function FindInOutput({ found }: { found: FoundInOutput }) {
  const { words, isRegex, count, isDone, at, find, step } = found;
  return (
    <>
      <FindField label="Find in the output" value={words} onFind={(next) => find(next, isRegex)} />
      <button
        type="button"
        class="button is-quiet mono"
        aria-pressed={isRegex}
        aria-label="As a regular expression"
        title="Regular expression"
        onClick={() => find(words, !isRegex)}
      >
        .*
      </button>
      {words !== "" && (
        <>
          <span class="second" role="status">
            {count === 0
              ? isDone
                ? "nothing found"
                : "searching …"
              : `${at + 1} of ${formatCount(count)}${isDone ? "" : " …"}`}
          </span>
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Previous match"
            onClick={() => step(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="button is-quiet is-icon"
            aria-label="Next match"
            onClick={() => step(1)}
          >
            <Icon name="down" />
          </button>
        </>
      )}
    </>
  );
}
