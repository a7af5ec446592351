import type { Style } from "../../render/style.ts";

/** Where the chat is shown, and the moment it is shown at. */
export interface ViewWindow {
  columns: number;
  rows: number;
  style: Style;
  nowMs: number;
}
