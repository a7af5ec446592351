import type { ConversationItem } from "../../../conversation/conversation-item.ts";
import { formatBytes } from "../../../lib/quantities.ts";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import { beginningOf } from "../../../lib/whole-characters.ts";
import { wrapText } from "../render/wrap-text.ts";
import { unfoldedLengthMax } from "./limits.ts";

/** All of what is folded into a line of the conversation; undefined when it was never folded. */
export function unfoldItem(
  item: ConversationItem | undefined,
  { columns }: { columns: number },
): { title: string; lines: string[] } | undefined {
  if (item?.kind === "thinking") return { title: "Thinking", lines: linesOf(item.text, columns) };
  if (item?.kind !== "tool" || !item.result) return undefined;
  const { name = "Result", detail, result } = item;
  const asked = detail.includes("\n") ? [...linesOf(detail, columns), ""] : [];
  return {
    title: `${terminalLine(name)}  ${terminalLine(detail)}`,
    lines: [...asked, ...linesOf(result.text, columns)],
  };
}

function linesOf(text: string, columns: number): string[] {
  const shown = beginningOf(text, unfoldedLengthMax);
  const lines = wrapText(terminalText(shown).trimEnd(), Math.max(10, columns - 2));
  if (shown.length === text.length) return lines;
  return [...lines, `… ${formatBytes(Buffer.byteLength(text))} in all: holdfast show`];
}
