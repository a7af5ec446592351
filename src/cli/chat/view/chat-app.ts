import { Box, Text, useAnimation, useCursor, useInput, usePaste, useStdout, useWindowSize } from "ink";
import { createElement as h, useEffect, useRef, useState, type ReactElement } from "react";
import type { ChatStore } from "../chat-store.ts";
import { readChatKeys } from "../editor/chat-key.ts";
import { frontThread, type ChatState } from "../state/chat-state.ts";
import type { Style } from "../../render/style.ts";
import { firstThatFits, PrintedItems, type PrintedItemsProps } from "./printed-items.ts";
import { screenView } from "./screen-lines.ts";

/** Scrolled away rather than erased: what was there before the chat stays in the terminal's own history. */
const CLEAR_SCREEN = "\u001b[2J\u001b[H";
const TICK_MS = 500;

/** The whole chat. Draws what the pure views say and hands keys on; decides nothing. */
export function ChatApp({ chat, style }: { chat: ChatStore; style: Style }): ReactElement {
  const state = useChatState(chat);
  const { columns, rows } = useWindowSize();
  useInput((input, key) => {
    for (const each of readChatKeys(input, key)) chat.press(each);
  });
  usePaste((text) => chat.press({ kind: "text", text }));
  const thread = frontThread(state);
  // Seconds pass and hints go without anything else happening.
  useAnimation({ interval: TICK_MS, isActive: thread.query !== undefined || state.armed !== undefined });
  const { lines, cursor } = screenView(state, { columns, rows, style, nowMs: Date.now() });
  useCursor().setCursorPosition(cursor);
  const redrawn = useRedraw({ columns, rows, style, screen: state.screen, items: thread.items });
  const printed = { items: thread.items, from: redrawn.screen === state.screen ? redrawn.from : 0 };
  return h(
    Box,
    { flexDirection: "column" },
    h(PrintedItems, { key: `${state.screen}.${redrawn.count}`, ...printed, columns, style }),
    h(Text, { wrap: "truncate" }, lines.join("\n")),
  );
}

function useChatState(chat: ChatStore): ChatState {
  const { write } = useStdout();
  const [state, setState] = useState(chat.state);
  useEffect(() => {
    let { screen } = chat.state;
    return chat.subscribe((next) => {
      if (next.screen !== screen) write(CLEAR_SCREEN);
      screen = next.screen;
      setState(next);
    });
  }, [chat, write]);
  return state;
}

interface Redrawn {
  count: number;
  screen: number;
  /** The first item that was printed again. */
  from: number;
}

/**
 * A terminal that gets narrower breaks every line of the frame into several, which cannot be drawn over: then the window
 * is cleared and what fits into it is printed again.
 */
function useRedraw(view: PrintedItemsProps & { rows: number; screen: number }): Redrawn {
  const { write } = useStdout();
  const [redrawn, setRedrawn] = useState<Redrawn>({ count: 0, screen: 0, from: 0 });
  const width = useRef(view.columns);
  useEffect(() => {
    const isNarrower = view.columns < width.current;
    width.current = view.columns;
    if (!isNarrower) return;
    write(CLEAR_SCREEN);
    setRedrawn(({ count }) => ({ count: count + 1, screen: view.screen, from: firstThatFits(view) }));
    // Only the width matters; the rest is as it is then.
  }, [view.columns]);
  return redrawn;
}
