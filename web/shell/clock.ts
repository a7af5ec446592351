import { signal } from "@preact/signals";

/** The time, once a second while the page is visible: ages and durations follow it. */
export const clock = signal(Date.now());

export function startClock(): void {
  const tick = (): void => {
    if (document.visibilityState === "visible") clock.value = Date.now();
  };
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
}
