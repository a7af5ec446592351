import { compactionText, givenAlong, notificationText, promptFacts } from "../item-facts.ts";
import type { ConversationItem, ToolItem } from "../conversation-item.ts";
import { withAgents } from "./agent-sections.ts";
import { leftOutText, timeOf, titleOf, type ExportSource } from "./export-source.ts";
import { pageStyle } from "./html-style.ts";
import { toolInputText, toolResultText, toolState } from "./item-text.ts";
import { escapeHtml, markdownHtml } from "./safe-html.ts";

/** A session as one HTML page that needs nothing else, fetches nothing and runs nothing. */
export async function* exportHtml(source: ExportSource): AsyncGenerator<string> {
  const { summary } = source;
  const title = escapeHtml(titleOf(summary));
  const facts = [summary.sessionId, summary.cwd, summary.gitBranch, timeOf(summary)];
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>${title}</h1><p>${facts
    .filter(Boolean)
    .map((fact) => `<span>${escapeHtml(String(fact))}</span>`)
    .join("")}</p></header>
<main>
`;
  for await (const item of withAgents(source)) {
    if (item.kind === "agent-begin")
      yield `<details class="agent"><summary>${escapeHtml(item.title)}</summary>\n`;
    else if (item.kind === "agent-end") yield "</details>\n";
    else yield `${item.isRetracted ? '<p class="notice">(taken back)</p>\n' : ""}${itemHtml(item)}`;
  }
  const leftOut = leftOutText(source);
  if (leftOut !== "") yield `<p class="notice">${escapeHtml(leftOut)}</p>\n`;
  yield "</main>\n</body>\n</html>\n";
}

function itemHtml(item: ConversationItem): string {
  switch (item.kind) {
    case "prompt": {
      const along = givenAlong(item)
        .map((name) => `<span class="image">${escapeHtml(name)}</span>`)
        .join("");
      return `<section class="prompt"><p class="facts">${promptFacts(item)}</p>${markdownHtml(item.text)}${along}</section>\n`;
    }
    case "answer":
      return `<section class="answer">${markdownHtml(item.text)}</section>\n`;
    case "thinking":
      return details("Thinking", markdownHtml(item.text));
    case "tool":
      return toolHtml(item);
    case "compaction":
      return `<p class="compaction">${escapeHtml(compactionText(item))}</p>\n`;
    case "summary":
      return details("Summary given to the model", markdownHtml(item.text));
    case "notification": {
      const { result } = item.notification;
      const head = escapeHtml(notificationText(item.notification));
      return result === undefined
        ? `<p class="notification">${head}</p>\n`
        : details(head, markdownHtml(result), "notification");
    }
    case "command":
      return `<p class="command"><code>${escapeHtml(item.text)}</code></p>\n`;
    case "command-output":
      return item.text.trim() === "" ? "" : pre(item.text);
    case "peer":
      return `<section class="answer"><p class="facts">${escapeHtml(item.name)}</p>${markdownHtml(item.text)}</section>\n`;
    case "notice":
      return `<p class="notice${item.isError ? " error" : ""}">${escapeHtml(item.text)}</p>\n`;
    case "context":
      return "";
  }
}

function toolHtml(tool: ToolItem): string {
  const name = `<b>${escapeHtml(tool.name ?? "Result")}</b>`;
  const detail =
    tool.detail === "" ? "" : ` <code>${escapeHtml(tool.detail.trim().split("\n", 1)[0] ?? "")}</code>`;
  const state = ` <span class="state${tool.result?.isError ? " error" : ""}">${escapeHtml(toolState(tool))}</span>`;
  const input = toolInputText(tool);
  const result = toolResultText(tool);
  const body = (input === "" ? "" : pre(input)) + (result === "" ? "" : pre(result));
  return body === ""
    ? `<p class="tool">${name}${detail}${state}</p>\n`
    : details(`${name}${detail}${state}`, body, "tool");
}

function details(summary: string, body: string, className = "folded"): string {
  return `<details class="${className}"><summary>${summary}</summary>${body}</details>\n`;
}

function pre(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
