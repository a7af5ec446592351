import type { Token, Tokens } from "marked";
import { isPlain, type Style } from "../render/style.ts";
import type { Span } from "../render/wrap-spans.ts";

type Paint = (text: string) => string;

/** The words of a paragraph. What the screen cannot set off keeps the marks that it was written with. */
export function inlineSpans(tokens: readonly Token[], style: Style, outer?: Paint): Span[] {
  const inner = (token: Token, paint: Paint, mark: string): Span[] => {
    const both = outer ? (text: string) => outer(paint(text)) : paint;
    const words = inlineSpans(innerTokens(token), style, both);
    return isPlain(style) ? [{ text: mark }, ...words, { text: mark }] : words;
  };
  return tokens.flatMap((token): Span[] => {
    switch (token.type) {
      case "strong":
        return inner(token, style.bold, "**");
      case "em":
        return inner(token, style.italic, "*");
      case "del":
        return [{ text: "~~" }, ...inlineSpans(innerTokens(token), style, outer), { text: "~~" }];
      case "codespan":
        return [isPlain(style) ? { text: token.raw } : { text: textOf(token), paint: style.cyan }];
      case "link":
        return linkSpans(token as Tokens.Link, style, outer);
      case "image":
        return [{ text: `[image: ${textOf(token)}]`, paint: style.dim }];
      case "br":
        return [{ text: "\n" }];
      case "text":
        return innerTokens(token).length > 0
          ? inlineSpans(innerTokens(token), style, outer)
          : [{ text: textOf(token), paint: outer }];
      case "escape":
        return [{ text: textOf(token), paint: outer }];
      // A tag is shown: nothing that was written is left out.
      default:
        return [{ text: token.raw, paint: outer }];
    }
  });
}

// Where it leads is always shown: a text may name another place.
function linkSpans(link: Tokens.Link, style: Style, outer: Paint | undefined): Span[] {
  const { text, href, tokens } = link;
  if (href === text || href === `mailto:${text}`) return [{ text, paint: style.underline }];
  return [...inlineSpans(tokens, style, outer ?? style.underline), { text: ` (${href})`, paint: style.dim }];
}

function innerTokens(token: Token): Token[] {
  return ("tokens" in token && token.tokens) || [];
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}
