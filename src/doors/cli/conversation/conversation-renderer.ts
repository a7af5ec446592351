import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import {
  compactionText,
  givenAlong,
  notificationText,
  promptFacts,
} from "../../../conversation/item-facts.ts";
import type { ConversationItem, PromptItem, ToolItem } from "../../../conversation/conversation-item.ts";
import { cutEnd, cutStart } from "../render/cut-text.ts";
import { displayWidth } from "../render/display-width.ts";
import { formatBytes, formatDuration, formatMoment, formatTokens, plural } from "../../../lib/quantities.ts";
import type { Page, Style } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { unfolded } from "./unfolded.ts";

export interface ConversationRendererOptions extends Page {
  /** It is shown while it happens: a tool without a result still works. */
  isLive?: boolean;
  /** Shows all of what a tool was given and gave back; with it, all of thoughts and summaries is shown, too. */
  unfoldTool?: ((tool: ToolItem, page: Page) => string[]) | undefined;
  /** With the names of what the client put in between. */
  hasInternals?: boolean | undefined;
  /** With the moment of each thing that has one; prompts always have theirs. */
  hasTimes?: boolean | undefined;
}

/** Lines longer than this are hard to read, however wide the window is. */
const READABLE_COLUMNS = 100;
/** Where nothing is cut to a window, a folded line is still one that can be taken in. */
const FOLDED_COLUMNS = 200;
/** What a folded line is about gets at least so much; what else there is to say of it gives way. */
const DETAIL_COLUMNS = 16;
/** As much of a message's id as searches show, too. */
const SHORT_ID_LENGTH = 8;
/** Names that are kept apart in one folded line; it could not show more. */
const CONTEXT_NAMES = 20;

/** Turns items into lines for a screen. Everything that came from a transcript is made safe here. */
export class ConversationRenderer {
  readonly #style: Style;
  readonly #columns: number;
  readonly #isLive: boolean;
  readonly #unfoldTool: ConversationRendererOptions["unfoldTool"];
  readonly #hasInternals: boolean;
  readonly #hasTimes: boolean;
  #previous: ConversationItem["kind"] | undefined;
  #shownId: string | undefined;
  // Names of what the client put in between, with how often: folded into one line.
  #context = new Map<string, number>();

  constructor(options: ConversationRendererOptions) {
    const { columns, style, isLive = false, unfoldTool, hasInternals = false } = options;
    this.#hasTimes = options.hasTimes ?? false;
    this.#style = style;
    this.#columns = columns;
    this.#isLive = isLive;
    this.#unfoldTool = unfoldTool;
    this.#hasInternals = hasInternals;
  }

  /** The item's lines, with an empty one before it where that helps the eye. */
  render(item: ConversationItem): string[] {
    if (item.kind === "context") {
      if (!this.#hasInternals) return [];
      const name = this.#context.size < CONTEXT_NAMES ? terminalLine(item.name) : "others";
      this.#context.set(name, (this.#context.get(name) ?? 0) + 1);
      return [];
    }
    const before = this.end();
    const isFirst = this.#previous === undefined && before.length === 0;
    const isTight =
      (this.#previous === item.kind && tightKinds.has(item.kind)) || item.kind === "command-output";
    this.#previous = item.kind;
    const head = [...this.#id(item), ...this.#time(item), ...this.#retraction(item)];
    return [...before, ...(isFirst || isTight ? [] : [""]), ...head, ...this.#lines(item)];
  }

  // Once for all items of an entry.
  #id({ uuid }: ConversationItem): string[] {
    if (uuid === undefined || uuid === this.#shownId) return [];
    this.#shownId = uuid;
    return [this.#style.dim(terminalLine(uuid).slice(0, SHORT_ID_LENGTH))];
  }

  /** What is still folded when the conversation ends. */
  end(): string[] {
    if (this.#context.size === 0) return [];
    const names = [...this.#context].map(([name, times]) => (times === 1 ? name : `${name} ×${times}`));
    this.#context.clear();
    const isFirst = this.#previous === undefined;
    this.#previous = "context";
    return [...(isFirst ? [] : [""]), this.#style.dim(this.#fold(`· ${names.join(", ")}`))];
  }

  #time(item: ConversationItem): string[] {
    if (!this.#hasTimes || item.kind === "prompt" || !("at" in item) || item.at === undefined) return [];
    return [this.#style.dim(this.#fold(formatMoment(item.at)))];
  }

  #retraction({ isRetracted }: ConversationItem): string[] {
    return isRetracted === true ? [this.#style.dim("(taken back)")] : [];
  }

  #lines(item: Exclude<ConversationItem, { kind: "context" }>): string[] {
    const { dim, cyan, yellow, red } = this.#style;
    switch (item.kind) {
      case "prompt":
        return this.#prompt(item);
      case "answer":
        return this.#body(item.text);
      case "thinking":
        return this.#unfoldTool
          ? this.#wrap(`✻ ${terminalText(item.text).trim()}`).map((line, at) =>
              dim(at === 0 ? line : `  ${line}`),
            )
          : [dim(this.#fold(`✻ ${terminalLine(item.text)}`))];
      case "tool":
        return this.#tool(item);
      case "compaction":
        return [yellow(this.#rule(terminalLine(compactionText(item))))];
      case "summary": {
        const head = `≡ Summary, ${formatBytes(Buffer.byteLength(item.text))}`;
        return this.#unfoldTool
          ? [dim(head), ...this.#body(item.text)]
          : [dim(this.#fold(`${head}: ${terminalLine(item.text)}`))];
      }
      case "notification": {
        const text = terminalLine(notificationText(item.notification));
        return [yellow(this.#fold(`◆ ${text}`)), ...this.#folded(item.notification.result ?? "")];
      }
      case "command":
        return [cyan(this.#fold(`❯ ${terminalLine(item.text)}`))];
      case "command-output":
        return this.#folded(item.text);
      case "peer":
        return [cyan(`@${terminalLine(item.name)}`), ...this.#body(item.text)];
      case "notice":
        return [(item.isError ? red : dim)(this.#fold(`! ${terminalLine(item.text)}`))];
    }
  }

  #prompt(item: PromptItem): string[] {
    const { bold, cyan, dim } = this.#style;
    const { text } = item;
    const head = promptFacts(item);
    const shown = [terminalText(text), ...givenAlong(item).map(terminalLine)].filter(Boolean).join("\n");
    const lines = this.#wrap(shown).map((line, index) =>
      index === 0 ? `${cyan("❯")} ${bold(line)}` : `  ${bold(line)}`,
    );
    return head === "" ? lines : [dim(this.#fold(head)), ...lines];
  }

  // A pipe gets the Markdown as it was written: whoever reads it there can render it, too.
  #body(text: string): string[] {
    const safe = terminalText(text).trim();
    const columns = this.#columns === Infinity ? Infinity : this.#textWidth();
    return renderMarkdown(safe, { columns, style: this.#style }).map((line) =>
      line === "" ? "" : `  ${line}`,
    );
  }

  #wrap(text: string): string[] {
    return this.#columns === Infinity ? text.split("\n") : wrapText(text, this.#textWidth());
  }

  #textWidth(): number {
    return Math.max(10, Math.min(this.#columns, READABLE_COLUMNS) - 2);
  }

  // `● Bash  npm test  ✓ 0.8 KB`, and below it how the result begins.
  #tool(tool: ToolItem): string[] {
    const { bold, green, red, dim, yellow } = this.#style;
    const { result } = tool;
    const [mark, paint] = !result
      ? ["…", dim]
      : result.isError
        ? ["✗", red]
        : result.backgroundTaskId === undefined
          ? ["✓", green]
          : ["→", yellow];
    const width = this.#foldWidth();
    const name = cutEnd(terminalLine(tool.name ?? "Result"), width - 5);
    const room = width - displayWidth(`● ${name}  ${mark}`);
    // What it was asked matters more than how much came back.
    const facts = this.#isLive && !result ? "" : toolFacts(tool);
    const shownFacts = room - displayWidth(facts) >= DETAIL_COLUMNS ? facts : "";
    const cut = tool.isPath ? cutStart : cutEnd;
    const detail = cut(terminalLine(tool.detail), room - displayWidth(shownFacts) - 3);
    const head = [`${paint("●")} ${bold(name)}`, detail, `${paint(mark)} ${dim(shownFacts)}`.trimEnd()];
    const below = this.#unfoldTool
      ? this.#unfoldTool(tool, { columns: this.#columns, style: this.#style })
      : this.#folded(result?.text ?? "", result?.images);
    return [head.filter(Boolean).join("  "), ...below];
  }

  // The first line of a text, and how many more there are.
  #folded(text: string, images = 0): string[] {
    if (this.#unfoldTool) return unfolded(text, { columns: this.#columns, style: this.#style });
    const lines = terminalText(text)
      .split("\n")
      .filter((line) => line.trim() !== "");
    const first = lines[0] === undefined ? (images > 0 ? "[image]" : undefined) : terminalLine(lines[0]);
    if (first === undefined) return [];
    const room = this.#foldWidth() - 4;
    const more = lines.length > 1 ? ` (+${plural(lines.length - 1, "line")})` : "";
    const shownMore = room - more.length >= DETAIL_COLUMNS ? more : "";
    return [this.#style.dim(`  ⎿ ${cutEnd(first, room - shownMore.length)}${shownMore}`)];
  }

  #fold(text: string): string {
    return cutEnd(text, this.#foldWidth());
  }

  #foldWidth(): number {
    return this.#columns === Infinity ? FOLDED_COLUMNS : this.#columns;
  }

  #rule(text: string): string {
    const width = Math.min(this.#columns, READABLE_COLUMNS);
    const shown = cutEnd(text, width - 6);
    return `── ${shown} ${"─".repeat(Math.max(0, width - displayWidth(shown) - 4))}`;
  }
}

const tightKinds: ReadonlySet<string> = new Set(["tool", "thinking", "notice", "command", "notification"]);

function toolFacts({ result, agent }: ToolItem): string {
  if (!result) return "no result";
  const facts = [
    result.backgroundTaskId === undefined ? "" : `background ${terminalLine(result.backgroundTaskId)}`,
    result.bytes > 0 && result.backgroundTaskId === undefined ? formatBytes(result.bytes) : "",
    agent?.id !== undefined && agent.id !== result.backgroundTaskId ? `agent ${terminalLine(agent.id)}` : "",
    agent?.tokens === undefined ? "" : `${formatTokens(agent.tokens)} tokens`,
    agent?.durationMs === undefined ? "" : formatDuration(agent.durationMs),
  ];
  return facts.filter(Boolean).join(" · ");
}
