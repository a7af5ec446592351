import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import type { Launched } from "../../../recovery/launches-since.ts";
import type { Recovery } from "../../../recovery/recovery.ts";
import type { RecoveredItem } from "../../../recovery/recovered-item.ts";
import type { Environment } from "../environment.ts";
import { cutEnd } from "../render/cut-text.ts";
import { displayPath } from "../render/display-path.ts";
import { formatAge } from "../../../lib/quantities.ts";
import type { Page, Style } from "../render/style.ts";

export interface RecoveryLinesOptions {
  environment: Pick<Environment, "stdout" | "userHome">;
  /** Of all projects: each item says whose it is. */
  isAll: boolean;
}

/** What recovery found, for people: a part for each sort, an item a few lines. Empty when there is nothing. */
export function recoveryLines(recovery: Recovery, { environment, isAll }: RecoveryLinesOptions): string[] {
  const { columns, style } = environment.stdout;
  const part = (title: string, items: readonly RecoveredItem[]): string[] =>
    items.length === 0
      ? []
      : [
          style.bold(`${title} (${items.length})`),
          ...items.flatMap((item) =>
            itemLines(item, { style, columns, isAll, userHome: environment.userHome }),
          ),
          "",
        ];
  const { running, finishedUnseen, lost, leftToClient, seen, duplicates } = recovery;
  const lines = [
    ...part("Finished, not yet told to anybody", finishedUnseen),
    ...part("Lost: gone, and nobody knows how they ended", lost),
    ...part("Finished; the client tells of them", leftToClient),
    ...part("Running", running),
    ...part("Told before", seen),
    ...(duplicates.length === 0
      ? []
      : [
          style.bold(`The same work more than once (${duplicates.length})`),
          ...duplicates.map(({ ids, description }) =>
            cutEnd(`  ${terminalLine(ids.join(", "))}  ${terminalLine(description)}`, columns),
          ),
          "",
        ]),
  ];
  return lines.slice(0, -1);
}

interface ItemOptions extends Page {
  isAll: boolean;
  userHome: string;
}

export const paintOf: Record<Launched["status"], keyof Style> = {
  running: "green",
  completed: "green",
  failed: "red",
  stopped: "yellow",
  lost: "red",
  removed: "dim",
};

/** Before what is said of an item below its first line. */
export const INDENT = "      ";

const RESULT_LINES = 4;
/** With less room than this, what it was stands on a line of its own. */
const WHAT_WIDTH_MIN = 20;

function itemLines(item: RecoveredItem, { style, columns, isAll, userHome }: ItemOptions): string[] {
  const now = new Date();
  const status = item.exitCode === undefined ? item.status : `${item.status} (${item.exitCode})`;
  const isRunning = item.status === "running";
  const ago = formatAge(isRunning ? item.startedAt : (item.endedAt ?? item.startedAt), now);
  const when = `${isRunning ? "started " : ""}${ago === "now" ? "now" : `${ago} ago`}`;
  const id = terminalLine(item.id);
  const head = [id, status, when].join("  ");
  const what = terminalLine(item.description || item.prompt);
  const paint = style[paintOf[item.status]];
  const first = `  ${style.cyan(id)}  ${paint(status)}  ${when}`;
  const room = columns - head.length - 4;
  const more = (text: string): string => style.dim(cutEnd(`${INDENT}${text}`, columns));
  const result =
    item.result === undefined ? [] : terminalText(item.result).split("\n").slice(0, RESULT_LINES);
  return [
    ...(room < WHAT_WIDTH_MIN
      ? [first, cutEnd(`${INDENT}${what}`, columns)]
      : [`${first}  ${cutEnd(what, room)}`]),
    ...result.map((line) => cutEnd(`${INDENT}${line}`, columns)),
    ...(item.detail === undefined ? [] : [more(terminalLine(item.detail))]),
    ...(isAll ? [more(displayPath(item.cwd, userHome))] : []),
    // Never cut: it is there to be copied.
    ...(item.outputFile === undefined
      ? []
      : [style.dim(`${INDENT}${displayPath(item.outputFile, userHome)}`)]),
    more(terminalLine(`known from: ${item.knownBy.join(", ")}`)),
  ];
}
