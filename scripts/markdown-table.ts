/** Rows below a head. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The text as code; nothing of none. */
export function code(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("`", "'")}\``;
}
