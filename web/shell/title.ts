import { effect } from "@preact/signals";
import { counts } from "../live/live-rows.ts";

let title = "Holdfast";

/** Names the page in the browser's tab, with how many wait for an answer. */
export function setTitle(name: string): void {
  title = name === "" ? "Holdfast" : `${name} · Holdfast`;
  draw();
}

export function showTitle(): () => void {
  return effect(draw);
}

function draw(): void {
  const { needsYou } = counts.value;
  document.title = needsYou > 0 ? `(${needsYou}) ${title}` : title;
}
