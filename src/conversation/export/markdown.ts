import { terminalLine, terminalText } from "../../lib/terminal-text.ts";
import { compactionText, givenAlong, notificationText, promptFacts } from "../item-facts.ts";
import type { ConversationItem, ToolItem } from "../conversation-item.ts";
import { withAgents } from "./agent-sections.ts";
import { leftOutText, timeOf, titleOf, type ExportSource } from "./export-source.ts";
import { toolInputText, toolResultText, toolState } from "./item-text.ts";

/** A session as Markdown: what was said in full, tool calls folded. */
export async function* exportMarkdown(source: ExportSource): AsyncGenerator<string> {
  const { summary } = source;
  yield `# ${inline(titleOf(summary))}\n\n`;
  const facts = [
    ["Session", `\`${terminalLine(summary.sessionId)}\``],
    ["Directory", summary.cwd === undefined ? "" : inlineCode(summary.cwd)],
    ["Branch", summary.gitBranch === undefined ? "" : inlineCode(summary.gitBranch)],
    ["Time", timeOf(summary)],
  ];
  for (const [name, value] of facts) if (value) yield `- ${name}: ${value}\n`;
  for await (const item of withAgents(source)) {
    const text =
      item.kind === "agent-begin"
        ? `<details><summary>${inline(item.title)}</summary>`
        : item.kind === "agent-end"
          ? "</details>"
          : `${item.isRetracted ? "_(taken back)_\n\n" : ""}${itemMarkdown(item)}`;
    if (text !== "") yield `\n${text}\n`;
  }
  const leftOut = leftOutText(source);
  if (leftOut !== "") yield `\n---\n\n_${leftOut}_\n`;
}

function itemMarkdown(item: ConversationItem): string {
  switch (item.kind) {
    case "prompt": {
      const along = givenAlong(item).map(inline);
      const head = ["User", promptFacts(item)].filter(Boolean).join(", ");
      return `## ${head}\n\n${[body(item.text), ...along].filter(Boolean).join("\n\n")}`;
    }
    case "answer":
      return body(item.text);
    case "thinking":
      return details("Thinking", body(item.text));
    case "tool":
      return toolMarkdown(item);
    case "compaction":
      return `---\n\n**${inline(compactionText(item))}**\n\n---`;
    case "summary":
      return details("Summary given to the model", body(item.text));
    case "notification": {
      const { result } = item.notification;
      const head = `**Notification** ${inline(notificationText(item.notification))}`;
      return result === undefined ? head : `${head}\n\n${details("Result", body(result))}`;
    }
    case "command":
      return `**Command** ${inlineCode(item.text)}`;
    case "command-output":
      return fence(item.text);
    case "peer":
      return `**${inline(item.name)}**\n\n${body(item.text)}`;
    case "notice":
      return `_${inline(item.text)}_`;
    case "context":
      return "";
  }
}

function toolMarkdown(tool: ToolItem): string {
  const head = `**${inline(tool.name ?? "Result")}** ${tool.detail === "" ? "" : `${inlineCode(firstLine(tool.detail))} `}${inline(toolState(tool))}`;
  const input = toolInputText(tool);
  const result = toolResultText(tool);
  const parts = [input === "" ? "" : fence(input), result === "" ? "" : fence(result)].filter(Boolean);
  return parts.length === 0 ? head : `${head}\n\n${details("Input and result", parts.join("\n\n"))}`;
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

// What was said is Markdown already. A tag in it must not become one: the page may be shown as HTML.
function body(text: string): string {
  return outsideCode(terminalText(text).trim(), (part) => part.replace(/<(?=[a-zA-Z/!?])/g, "&lt;"));
}

// Splits at fences and code spans, which show tags as they are.
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ {0,3}(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}(?:`{3,}|~{3,})[ \t]*$|$(?![\s\S]))|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}

function inline(text: string): string {
  return terminalLine(text).replace(/[\\`*_{}[\]<>#|]/g, (mark) => (mark === "<" ? "&lt;" : `\\${mark}`));
}

function inlineCode(text: string): string {
  const line = terminalLine(text);
  const ticks = "`".repeat(longestRun(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

function fence(text: string): string {
  const shown = terminalText(text).replace(/\n+$/, "");
  const ticks = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}text\n${shown}\n${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
