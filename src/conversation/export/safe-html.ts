import { Marked } from "marked";
import { terminalText } from "../../lib/terminal-text.ts";
import { markdownOptions } from "../parse-markdown.ts";

/** Text with nothing left that HTML would read as markup. */
export function escapeHtml(text: string): string {
  return terminalText(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Markdown as HTML that cannot do anything: tags become text, only plain links stay, nothing is fetched. */
export function markdownHtml(text: string): string {
  return markdown.parse(terminalText(text), { async: false });
}

const markdown = new Marked({
  ...markdownOptions,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => `<span class="image">[image${text === "" ? "" : `: ${escapeHtml(text)}`}]</span>`,
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return isPlainLink(href)
        ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${inner}</a>`
        : inner;
    },
  },
});

function isPlainLink(href: string): boolean {
  return URL.canParse(href) && ["http:", "https:", "mailto:"].includes(new URL(href).protocol);
}
