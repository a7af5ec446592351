import { onEvent } from "../live/event-bus.ts";
import { go } from "../routing/place.ts";
import { taskUrl } from "../routing/routes.ts";
import { prefer, preferences } from "./preferences.ts";

/**
 * Notifications of the browser: only when somebody asked for them, only while no tab of ours is looked at, by one tab, each
 * with who and why.
 */
export function startNotifications(): void {
  onEvent("asked", ({ question }) =>
    notify(
      question.taskId,
      question.description || question.agentType || question.taskId,
      `Needs you: ${question.title}`,
    ),
  );
  onEvent("task", ({ is, row }) => {
    if (is !== "ended" || row.attention === null) return;
    notify(
      row.id,
      row.name ?? row.description,
      `${row.status}${row.exitCode ? `, exit ${row.exitCode}` : ""}`,
    );
  });
  document.addEventListener("visibilitychange", tellLooked);
  channel.addEventListener("message", () => (lookedAt = Date.now()));
  setInterval(tellLooked, LOOKED_MS / 2);
  tellLooked();
}

export async function askForNotifications(): Promise<boolean> {
  const isAllowed = (await Notification.requestPermission()) === "granted";
  prefer({ notifies: isAllowed });
  return isAllowed;
}

export function setMuted(id: string, isMuted: boolean): void {
  const others = preferences.peek().muted.filter((each) => each !== id);
  prefer({ muted: isMuted ? [...others, id].slice(-500) : others });
}

// A tab that is looked at says so to the others.
const channel = new BroadcastChannel("holdfast-looked-at");
const LOOKED_MS = 3000;
let lookedAt = 0;

function tellLooked(): void {
  if (document.visibilityState !== "visible") return;
  lookedAt = Date.now();
  channel.postMessage("");
}

function notify(id: string, title: string, body: string): void {
  const { notifies, muted } = preferences.peek();
  const isLookedAt = Date.now() - lookedAt < LOOKED_MS;
  if (!notifies || isLookedAt || muted.includes(id) || Notification.permission !== "granted") return;
  void navigator.locks.request(`holdfast-notify-${id}-${body}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const notification = new Notification(title, { body, tag: `${id} ${body}` });
    notification.addEventListener("click", () => {
      window.focus();
      go(taskUrl(id));
      notification.close();
    });
    // Held long enough that another tab, which hears of the same a moment later, stays silent.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  });
}
