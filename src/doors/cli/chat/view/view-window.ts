import type { Page } from "../../render/style.ts";

/** Where the chat is shown, and the moment it is shown at. */
export interface ViewWindow extends Page {
  rows: number;
  nowMs: number;
}

/** A tab takes as many cells as the terminal likes; what is drawn over must know. */
export function withoutTabs(text: string): string {
  return text.replaceAll("\t", "    ");
}
