import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { parseMarkdown } from "../../src/conversation/parse-markdown.ts";
import { CodeBlock } from "./code-block.tsx";

/**
 * Markdown as elements. Nothing of it ever becomes HTML of the page: a tag in it is shown as it was written, a link leads only
 * where a link of the web may, and an image is a link, because the page loads nothing from elsewhere.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return tokens ? <div class="markdown any">{tokens.map(blockOf)}</div> : <PlainText text={text} />;
}

export function PlainText({ text }: { text: string }) {
  return (
    <div class="plain-text any" dir="auto">
      {text}
    </div>
  );
}

function blockOf(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      // All of one level, whatever the text leaves out: below the heading of the page.
      return (
        <h2 key={key} class={`heading-${(token as Tokens.Heading).depth}`}>
          {inlinesOf(token.tokens)}
        </h2>
      );
    }
    case "paragraph":
      return (
        <p key={key} dir="auto">
          {inlinesOf(token.tokens)}
        </p>
      );
    case "text":
      return <span key={key}>{token.tokens ? inlinesOf(token.tokens) : token.text}</span>;
    case "code":
      return (
        <CodeBlock key={key} text={token.text as string} language={firstWord((token as Tokens.Code).lang)} />
      );
    case "blockquote":
      return <blockquote key={key}>{token.tokens?.map(blockOf)}</blockquote>;
    case "list":
      return listOf(token as Tokens.List, key);
    case "table":
      return tableOf(token as Tokens.Table, key);
    case "hr":
      return <hr key={key} />;
    default:
      return (
        <p key={key} class="plain-text">
          {token.raw}
        </p>
      );
  }
}

function listOf({ ordered, start, items }: Tokens.List, key: number) {
  const shown = items.map(({ tokens, task, checked }, index) => (
    <li key={index} class={task ? "is-task" : ""}>
      {task && (
        <input type="checkbox" checked={checked === true} disabled aria-label={checked ? "done" : "to do"} />
      )}
      {tokens.filter(({ type }) => type !== "checkbox").map(blockOf)}
    </li>
  ));
  return ordered ? (
    <ol key={key} start={typeof start === "number" ? start : 1}>
      {shown}
    </ol>
  ) : (
    <ul key={key}>{shown}</ul>
  );
}

function tableOf({ header, rows, align }: Tokens.Table, key: number) {
  const style = (column: number) => ({ textAlign: align[column] ?? "left" });
  return (
    <div class="scroll-x" key={key} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, column) => (
              <th key={column} style={style(column)}>
                {inlinesOf(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens }, column) => (
                <td key={column} style={style(column)}>
                  {inlinesOf(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlinesOf(tokens: readonly Token[] | undefined): ComponentChildren {
  return tokens?.map(inlineOf);
}

function inlineOf(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case "strong":
      return <strong key={key}>{inlinesOf(token.tokens)}</strong>;
    case "em":
      return <em key={key}>{inlinesOf(token.tokens)}</em>;
    case "del":
      return <del key={key}>{inlinesOf(token.tokens)}</del>;
    case "codespan":
      return <code key={key}>{token.text}</code>;
    case "br":
      return <br key={key} />;
    case "link":
      return (
        <SafeLink key={key} href={(token as Tokens.Link).href}>
          {inlinesOf(token.tokens)}
        </SafeLink>
      );
    case "image":
      return (
        <SafeLink key={key} href={(token as Tokens.Image).href}>
          [image{token.text ? `: ${token.text}` : ""}]
        </SafeLink>
      );
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? <span key={key}>{inlinesOf(token.tokens)}</span> : token.text;
    default:
      return token.raw;
  }
}

/** A link to elsewhere opens in another tab, which learns nothing of this one; any other scheme is only text. */
function SafeLink({ href, children }: { href: string; children: ComponentChildren }) {
  if (!isWebAddress(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}

export function isWebAddress(href: string): boolean {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

function firstWord(text: string | undefined): string | undefined {
  return text?.trim().split(/[\s,{]/)[0] || undefined;
}
