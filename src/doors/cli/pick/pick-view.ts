import { keysLine } from "../screen/keys-line.ts";
import { listWindow } from "../screen/list-window.ts";
import { cutEnd } from "../render/cut-text.ts";
import type { Style } from "../render/style.ts";
import { choiceTable, type Choice } from "./choice.ts";

export interface PickState {
  title: string;
  choices: readonly Choice[];
  /** Those of them that what was typed leaves. */
  shown: readonly Choice[];
  typed: string;
  selected: number;
  preview: readonly string[];
}

interface PickWindow {
  columns: number;
  rows: number;
  style: Style;
}

const KEYS = ["↑ ↓ choose", "type to filter", "Enter takes it", "Esc leaves"];

/** The list above, what is selected below it. A window of a few rows has only the list. */
export function pickLines(state: PickState, { columns, rows, style }: PickWindow): string[] {
  const { title, choices, shown, typed, selected, preview } = state;
  const room = Math.max(1, rows - 4);
  const previewRows = room < 8 ? 0 : Math.max(room - Math.max(4, shown.length), Math.floor(room / 2));
  const listRows = room - previewRows;
  const { first, end } = listWindow({ count: shown.length, selected, room: listRows });
  const [header = "", ...lines] = choiceTable(shown.slice(first, end), {
    columns: columns - 2,
    style,
    all: choices,
  });
  const list = lines.map((line, index) =>
    first + index === selected ? `${style.cyan("❯")} ${line}` : `  ${line}`,
  );
  return [
    style.bold(cutEnd(`${title} ${shown.length} of ${choices.length}`, columns)),
    cutEnd(`> ${typed}▏`, columns),
    shown.length === 0 ? style.dim(cutEnd("  Nothing matches.", columns)) : `  ${header}`,
    ...list,
    ...(previewRows > 0
      ? [
          ...Array.from({ length: listRows - list.length }, () => ""),
          style.dim("─".repeat(columns)),
          ...padded(preview.slice(-(previewRows - 1)), previewRows - 1),
        ]
      : []),
    style.dim(keysLine(KEYS, columns)),
  ];
}

function padded(lines: readonly string[], count: number): string[] {
  return [...lines, ...Array.from({ length: count - lines.length }, () => "")];
}
