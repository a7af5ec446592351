import type { Page } from "../../render/style.ts";

/** Where the chat is shown, and the moment it is shown at. */
export interface ViewWindow extends Page {
  rows: number;
  nowMs: number;
}
