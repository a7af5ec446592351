import { useEffect, useRef } from "preact/hooks";
import { isDialogOpen } from "../parts/dialog.tsx";
import { preferences } from "./preferences.ts";

type Keys = Record<string, (event: KeyboardEvent) => void>;

// The newest first: what is in front answers before what is behind.
const layers: { current: Keys }[] = [];
let prefix: { key: string; at: number } | undefined;
const PREFIX_MS = 1200;

/** What keys do while this is shown: `j`, `Enter`, `Ctrl+k`, `g n` for one after the other. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.unshift(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    const name = nameOf(event);
    const isCommand = name.startsWith("Ctrl+") || name === "Escape";
    if (event.isComposing || (isDialogOpen() && !name.startsWith("Ctrl+"))) return;
    if (
      !isCommand &&
      (isTyping(event.target) ||
        !preferences.peek().hasKeys ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey)
    )
      return;
    // A key that the focused element has a use for.
    if ((name === "Enter" || name === " ") && (event.target as Element).closest("a, button, summary, select"))
      return;
    const isSecond = prefix !== undefined && event.timeStamp - prefix.at < PREFIX_MS;
    const names = isSecond ? [`${prefix!.key} ${name}`] : [name];
    prefix = undefined;
    for (const candidate of names)
      for (const { current } of layers) {
        const action = current[candidate];
        if (!action) continue;
        event.preventDefault();
        action(event);
        return;
      }
    const begins =
      !isSecond &&
      layers.some(({ current }) => Object.keys(current).some((key) => key.startsWith(`${name} `)));
    if (begins) prefix = { key: name, at: event.timeStamp };
  });
}

function nameOf(event: KeyboardEvent): string {
  return event.ctrlKey || event.metaKey ? `Ctrl+${event.key.toLowerCase()}` : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.matches?.("input[type=checkbox], input[type=radio]")) return false;
  return element?.matches?.("input, textarea, select, [contenteditable]") === true;
}
