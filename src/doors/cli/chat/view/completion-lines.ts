import { terminalLine } from "../../../../lib/terminal-text.ts";
import { cutEnd, cutStart } from "../../render/cut-text.ts";
import { displayWidth } from "../../render/display-width.ts";
import type { Completion } from "../state/completion.ts";
import type { ViewWindow } from "./view-window.ts";

/** What the word at the cursor could become: those around the one that Tab would take. */
export function completionLines(
  { word, choices, selected }: Completion,
  { columns, style }: ViewWindow,
  rowsMax: number,
): string[] {
  const first = Math.max(0, Math.min(selected - Math.floor(rowsMax / 2), choices.length - rowsMax));
  const shown = choices.slice(first, first + rowsMax);
  const sign = word.kind === "command" ? "/" : word.kind === "file" ? "@" : "";
  const names = shown.map(({ text }) => cutStart(`${sign}${terminalLine(text)}`, columns - 4));
  const width = Math.max(0, ...names.map(displayWidth));
  return shown.map(({ hint }, index) => {
    const name = names[index]!;
    const gap = " ".repeat(width - displayWidth(name) + 2);
    const isChosen = first + index === selected;
    const told = hint === "" ? "" : cutEnd(`${gap}${terminalLine(hint)}`, columns - 2 - displayWidth(name));
    return isChosen ? `${style.cyan("❯")} ${style.bold(name)}${told}` : `  ${name}${style.dim(told)}`;
  });
}
