import type { ChatStore } from "../chat-store.ts";
import { watchKeys } from "../editor/watch-keys.ts";
import { frontThread, type ChatState } from "../state/chat-state.ts";
import type { ConversationItem } from "../../../../conversation/conversation-item.ts";
import type { Style } from "../../render/style.ts";
import { asciiMarks } from "../../render/ascii-marks.ts";
import { itemLines } from "./item-lines.ts";
import { screenView } from "./screen-lines.ts";

export interface ChatTerminal {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  style: Style;
  /** Marks of ours are shown as ASCII. */
  isAsciiOnly?: boolean;
}

/** Seconds pass and hints go without anything else happening. */
const TICK_MS = 500;
/** The cursor does not wander while the screen changes. A terminal that knows how shows the whole change at once. */
const CHANGE = { begin: "\u001b[?2026h\u001b[?25l", end: "\u001b[?25h\u001b[?2026l" };
/** Pasted text comes in brackets. */
const PASTE = { begin: "\u001b[?2004h", end: "\u001b[?2004l" };
/** Scrolled away rather than erased: what was there before the chat stays in the terminal's own history. */
const CLEAR_SCREEN = "\u001b[2J\u001b[H";
const ERASE_BELOW = "\r\u001b[J";

/**
 * Shows the chat and reads its keys. Returns what ends that: then the frame is gone, what was said stays, and the
 * terminal is as it was before.
 */
export function openChatScreen(
  chat: ChatStore,
  { input, output, style, isAsciiOnly = false }: ChatTerminal,
): () => void {
  const screen = new ChatScreen(chat.state, { output, style, isAsciiOnly });
  let tick: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(tick);
    screen.draw(chat.state);
    if (frontThread(chat.state).query || chat.state.armed) tick = setTimeout(draw, TICK_MS);
  };
  let stopKeys = (): void => {};
  const open = (): void => {
    stopKeys = watchKeys(input, (key) => chat.press(key));
    process.on("exit", close);
    output.on("resize", draw);
    chat.onChanged = draw;
    input.setRawMode(true);
    input.resume();
    output.write(PASTE.begin);
    draw();
  };
  const close = (): void => {
    process.off("exit", close);
    output.off("resize", draw);
    chat.onChanged = undefined;
    clearTimeout(tick);
    stopKeys();
    input.setRawMode(false);
    input.pause();
    output.write(screen.erase() + PASTE.end);
    screen.forgetFrame();
  };
  chat.aside = async (work) => {
    close();
    try {
      await work();
    } finally {
      open();
    }
  };
  open();
  return close;
}

/** What is said and done is printed once and is the terminal's from then on. Below it is a frame that is drawn over. */
class ChatScreen {
  readonly #output: NodeJS.WriteStream;
  readonly #style: Style;
  readonly #shown: (text: string) => string;
  #size: { columns: number; rows: number };
  #screen: number;
  /** Items printed so far, counted as a thread counts them. */
  #printed: number;
  #frame = "";
  /** The row of the frame in which the cursor is. */
  #cursorRow = 0;

  constructor(
    state: ChatState,
    { output, style, isAsciiOnly }: { output: NodeJS.WriteStream; style: Style; isAsciiOnly: boolean },
  ) {
    this.#output = output;
    this.#style = style;
    this.#shown = isAsciiOnly ? asciiMarks : (text) => text;
    this.#size = sizeOf(output);
    this.#screen = state.screen;
    this.#printed = frontThread(state).dropped;
  }

  draw(state: ChatState): void {
    const size = sizeOf(this.#output);
    const view = { ...size, style: this.#style, nowMs: Date.now() };
    const { items, dropped } = frontThread(state);
    const isOther = state.screen !== this.#screen;
    // A terminal that gets narrower breaks every line of the frame into several, which cannot be drawn over: then the
    // window is cleared and what fits into it is printed again.
    const isNarrower = size.columns < this.#size.columns;
    if (isOther) this.#printed = dropped;
    else if (isNarrower) this.#printed = dropped + firstThatFits(items, view);
    const first = this.#printed - dropped;
    const said = items
      .slice(first)
      .flatMap((item, index) => itemLines(item, items[first + index - 1], view))
      .map((line) => `${line}\n`);
    const { lines, cursor } = screenView(state, view);
    const up = lines.length - 1 - cursor.y;
    const frame = `${lines.join("\n")}${up > 0 ? `\u001b[${up}A` : ""}\u001b[${cursor.x + 1}G`;
    // A terminal that gets lower cuts off what is below the cursor.
    const isSame = frame === this.#frame && size.rows === this.#size.rows;
    if (isSame && said.length === 0 && !isOther && !isNarrower) return;
    const before = this.erase() + (isOther || isNarrower ? CLEAR_SCREEN : "");
    this.#output.write(CHANGE.begin + before + this.#shown(said.join("") + frame) + CHANGE.end);
    this.#size = size;
    this.#screen = state.screen;
    this.#printed = dropped + items.length;
    this.#frame = frame;
    this.#cursorRow = cursor.y;
  }

  /** It was erased, and whatever else may stand there now. */
  forgetFrame(): void {
    this.#frame = "";
    this.#cursorRow = 0;
  }

  /** What erases the frame, with the cursor where it began. */
  erase(): string {
    return (this.#cursorRow > 0 ? `\u001b[${this.#cursorRow}A` : "") + ERASE_BELOW;
  }
}

// A terminal that is just being opened may have no size yet.
function sizeOf({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** The first of the items at the end that a window of so many rows holds. */
function firstThatFits(
  items: readonly ConversationItem[],
  view: { columns: number; rows: number; style: Style },
): number {
  let from = items.length;
  for (let used = 0; from > 0; from--) {
    used += itemLines(items[from - 1]!, items[from - 2], view).length;
    if (used > view.rows) break;
  }
  return from;
}
