import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../api/route-shapes.ts";
import { onEvent } from "../../live/event-bus.ts";

type Now = Answer<"GET /api/now">;

/** Changes that come close together are asked for once. */
const SETTLE_MS = 150;

/**
 * The rows that are shown: they change only while neither the pointer nor the focus is on them; else the changes wait, with
 * how many there are, for whoever applies them.
 */
export function useStillRows(
  answer: Now | undefined,
  box: RefObject<HTMLElement | null>,
  askAgain: () => void,
): { shown: Now | undefined; waiting: number; apply: () => void } {
  const [shown, setShown] = useState(answer);
  const [waiting, setWaiting] = useState(0);
  const changes = useRef(0);
  useEffect(() => {
    if (!answer) return;
    if (shown && sameRows(shown, answer)) {
      changes.current = 0;
      setWaiting(0);
    } else if (!shown || !isInUse(box.current)) {
      changes.current = 0;
      setWaiting(0);
      setShown(answer);
    } else setWaiting(Math.max(1, changes.current));
  }, [answer]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askSoon = (): void => {
      changes.current += 1;
      timer ??= setTimeout(() => {
        timer = undefined;
        askAgain();
      }, SETTLE_MS);
    };
    const ends = [
      onEvent("task", ({ is }) => is !== "changed" && askSoon()),
      onEvent("task-gone", askSoon),
      onEvent("asked", askSoon),
      onEvent("answered", askSoon),
      onEvent("sessions", askSoon),
      onEvent("stale", ({ what }) => what.includes("tasks") && askSoon()),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, []);
  const apply = (): void => {
    setWaiting(0);
    setShown(answer);
  };
  // As soon as nobody points at the rows any more.
  useEffect(() => {
    if (waiting === 0) return;
    const timer = setInterval(() => isInUse(box.current) || apply(), 400);
    return () => clearInterval(timer);
  }, [waiting]);
  return { shown, waiting, apply };
}

function isInUse(box: HTMLElement | null): boolean {
  return box?.querySelector(".row-box:hover, .row-box:focus-within") != null;
}

function sameRows(one: Now, other: Now): boolean {
  return idsOf(one) === idsOf(other);
}

function idsOf({ running, unseen, lost, today }: Now): string {
  const ids = [running, unseen, lost, today.tasks].map((rows) => rows.map(({ id }) => id).join(" "));
  return [...ids, ...today.sessions.map(({ sessionId, updatedAt }) => sessionId + updatedAt)].join("|");
}
