import { Box, Text, useAnimation, useCursor, useInput, usePaste, useStdout, useWindowSize } from "ink";
import { createElement as h, useEffect, useState, type ReactElement } from "react";
import type { ChatStore } from "../chat-store.ts";
import { readChatKeys } from "../editor/chat-key.ts";
import { frontThread, type ChatState } from "../state/chat-state.ts";
import type { Style } from "../../render/style.ts";
import { PrintedItems } from "./printed-items.ts";
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
  return h(
    Box,
    { flexDirection: "column" },
    h(PrintedItems, { key: state.screen, items: thread.items, columns, style }),
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
