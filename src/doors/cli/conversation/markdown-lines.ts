import type { Token, Tokens } from "marked";
import { parseMarkdown } from "../../../conversation/parse-markdown.ts";
import { isPlain, type Page, type Style } from "../render/style.ts";
import { paintSpans, wrapSpans, type Span } from "../render/wrap-spans.ts";
import { wrapText } from "../render/wrap-text.ts";
import { codeLines } from "./code-lines.ts";
import { inlineSpans } from "./inline-spans.ts";
import { markdownTable } from "./markdown-table.ts";

/** Narrower than this, what is nested deeply would be a column of single letters. */
const COLUMNS_MIN = 10;
const RULE_COLUMNS = 40;

/**
 * Markdown as lines for a screen: words are set off and wrapped, lists hang, tables stand in columns, code is coloured and
 * never broken, because a broken line of code is worse than a long one. Expects text that is safe for a terminal.
 */
export function markdownLines(text: string, page: Page): string[] {
  const tokens = parseMarkdown(text);
  return tokens ? blocks(tokens, page, { isTight: false }) : wrapText(text, page.columns);
}

function blocks(tokens: readonly Token[], page: Page, { isTight }: { isTight: boolean }): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const block = blockLines(token, page);
    if (block.length === 0) continue;
    if (lines.length > 0 && !isTight) lines.push("");
    lines.push(...block);
  }
  return lines;
}

function blockLines(token: Token, page: Page): string[] {
  const { style, columns } = page;
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return wrapped(headingSpans(token as Tokens.Heading, style), columns);
    case "paragraph":
    case "text":
      return wrapped(inlineSpans((token as Tokens.Paragraph).tokens ?? [token], style), columns);
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return codeLines(text, { lang, style }).map((line) => (line === "" ? "" : `  ${line}`));
    }
    case "blockquote": {
      const inside = blocks((token as Tokens.Blockquote).tokens, narrower(page, 2), { isTight: false });
      return inside.map((line) => `${style.dim("│")} ${line}`.trimEnd());
    }
    case "list":
      return listLines(token as Tokens.List, page);
    case "table":
      return markdownTable(token as Tokens.Table, page);
    case "hr":
      return [style.dim("─".repeat(Math.min(columns, RULE_COLUMNS)))];
    default:
      return wrapText(token.raw.trimEnd(), columns);
  }
}

function headingSpans({ tokens, depth }: Tokens.Heading, style: Style): Span[] {
  if (isPlain(style)) return [{ text: `${"#".repeat(depth)} ` }, ...inlineSpans(tokens, style)];
  const paint = depth === 1 ? (text: string) => style.bold(style.underline(text)) : style.bold;
  return inlineSpans(tokens, style, paint);
}

function listLines({ items, ordered, start, loose }: Tokens.List, page: Page): string[] {
  const first = ordered ? Number(start) : 0;
  const widest = String(first + items.length - 1).length;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${`${first + index}.`.padStart(widest + 1)} ` : "• ";
    const box = item.task ? `[${item.checked ? "x" : " "}] ` : "";
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const lines = blocks(tokens, narrower(page, mark.length + box.length), { isTight: !loose });
    const indent = " ".repeat(mark.length + box.length);
    const shown = (lines.length > 0 ? lines : [""]).map((line, at) =>
      at === 0 ? `${page.style.dim(mark)}${box}${line}` : line === "" ? "" : indent + line,
    );
    return loose && index > 0 ? ["", ...shown] : shown;
  });
}

function wrapped(spans: readonly Span[], columns: number): string[] {
  return wrapSpans(spans, columns).map(paintSpans);
}

function narrower({ columns, style }: Page, by: number): Page {
  return { style, columns: Math.max(COLUMNS_MIN, columns - by) };
}
