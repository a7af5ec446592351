import { terminalLine, terminalText } from "../../../../lib/terminal-text.ts";
import { collapseProgress } from "../../../../lib/collapse-progress.ts";
import { displayWidth } from "../../render/display-width.ts";
import { expandTabs } from "../../render/expand-tabs.ts";
import type { RunningCall, RunningQuery } from "../state/chat-state.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { formatDuration } from "../../../../lib/quantities.ts";
import { wrapText } from "../../render/wrap-text.ts";
import { keysLine } from "../../screen/keys-line.ts";
import type { ViewWindow } from "./view-window.ts";

/** Lines longer than this are hard to read, however wide the window is. */
const READABLE_COLUMNS = 100;
/** More tools at once are counted, not listed. */
const CALLS_SHOWN = 4;
/** The end of what a running tool prints. */
const OUTPUT_LINES = 5;

/** The query that runs: the end of the answer so far, the tools at work, and how long it takes. */
export function queryLines(query: RunningQuery, window: ViewWindow, rowsMax: number): string[] {
  const { columns, style } = window;
  const shown = query.calls.slice(-CALLS_SHOWN).flatMap((call) => callLines(call, window));
  const hidden = query.calls.length - CALLS_SHOWN;
  const calls = hidden > 0 ? [style.dim(`  … ${hidden} more`), ...shown] : shown;
  // Only its end is seen, and a long answer is laid out anew at every piece.
  const end = query.text.slice(-rowsMax * columns * 2);
  const answer = wrapText(terminalText(end).trim(), Math.max(10, Math.min(columns, READABLE_COLUMNS) - 2))
    .map((line) => (line === "" ? "" : `  ${cutEnd(line, columns - 2)}`))
    .slice(-Math.max(1, rowsMax - calls.length - 2));
  const body = query.text.trim() === "" ? calls : [...answer, ...calls];
  return [...(body.length > 0 ? [...body, ""] : []), statusLine(query, window)];
}

// What it was asked, and how its output ends now.
function callLines({ tool, output = "" }: RunningCall, { columns, style }: ViewWindow): string[] {
  const name = terminalLine(tool.name ?? "Tool");
  const detail = cutEnd(terminalLine(tool.detail), Math.max(0, columns - displayWidth(name) - 5));
  const head = `${style.yellow("●")} ${style.bold(cutEnd(name, columns - 4))}  ${detail}`.trimEnd();
  const printed = terminalText(collapseProgress(output))
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-OUTPUT_LINES);
  return [head, ...printed.map((line) => style.dim(`  ${cutEnd(expandTabs(line), columns - 2)}`))];
}

function statusLine(
  { startedAtMs, activity, isEnding, calls, text }: RunningQuery,
  window: ViewWindow,
): string {
  const { columns, style, nowMs } = window;
  const what = isEnding
    ? "Stopping"
    : (activity ?? (calls.length > 0 ? "Working" : text === "" ? "Thinking" : "Answering"));
  const seconds = Math.floor(Math.max(0, nowMs - startedAtMs) / 1000);
  const elapsed = seconds === 0 ? "" : ` ${formatDuration(seconds * 1000)}`;
  const keys = isEnding ? [] : ["Ctrl+C interrupts", "Ctrl+B Ctrl+B backgrounds"];
  return style.dim(keysLine([`✻ ${terminalLine(what)}…${elapsed}`, ...keys], columns, keys.toReversed()));
}
