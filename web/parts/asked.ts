import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { askTogether } from "../api/shared-ask.ts";
import { offlineError, ApiError } from "../api/api-error.ts";
import type { Answer, AnswerRoute, Asked } from "../api/route-shapes.ts";
import { onEvent } from "../live/event-bus.ts";

export interface AskedState<Value> {
  answer: Value | undefined;
  error: ApiError | undefined;
  isAsking: boolean;
  askAgain: () => void;
}

/**
 * The answer of a route, for what is shown; undefined `asked` asks nothing. The last answer stays until the next one is
 * there. After the connection was lost for good, it asks again.
 */
export function useAsked<Route extends AnswerRoute>(
  route: Route,
  asked: Asked<Route> | undefined,
): AskedState<Answer<Route>> {
  const [state, setState] = useState<{ key: string; answer?: Answer<Route>; error?: ApiError }>({ key: "" });
  const [round, setRound] = useState(0);
  const key = JSON.stringify(asked) ?? "";
  const shownKey = useRef(key);
  shownKey.current = key;
  useEffect(() => {
    if (asked === undefined) return;
    let isWanted = true;
    const { answer: coming, leave } = askTogether(route, asked);
    coming.then(
      (answer) => isWanted && setState({ key, answer }),
      (error: unknown) => isWanted && setState((old) => ({ ...old, key, error: asApiError(error) })),
    );
    return () => {
      isWanted = false;
      leave();
    };
    // The key stands for what is asked.
  }, [route, key, round]);
  const askAgain = useCallback(() => setRound((old) => old + 1), []);
  useEffect(() => onEvent("hello", ({ isResumed }) => void (isResumed || askAgain())), []);
  return { answer: state.answer, error: state.error, isAsking: state.key !== key, askAgain };
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : offlineError();
}
