import type { ChatKey } from "./editor/chat-key.ts";
import type { ChatState } from "./state/chat-state.ts";
import type { ChatIntent } from "./state/chat-intent.ts";
import { pressKey } from "./state/press-key.ts";
import { afterPrinting, reduceChat, type ChatEvent } from "./state/reduce-chat.ts";

/** Holds what the screen shows, and tells it and whoever acts on keys. */
export interface ChatStore {
  readonly state: ChatState;
  dispatch(event: ChatEvent): void;
  press(key: ChatKey): void;
  /** Told of what keys ask for, in their order. */
  onIntent: (intent: ChatIntent) => void;
  /**
   * Told to print the newest state, not each: an answer comes in pieces faster than anybody reads. In front, nothing is
   * dropped before.
   */
  onChanged: (() => void) | undefined;
  /** Leaves the terminal to somebody else while the work goes on; then the screen is drawn anew. */
  aside: (work: () => Promise<void>) => Promise<void>;
}

const REDRAW_MS = 33;

export function openChatStore(initial: ChatState): ChatStore {
  let state = initial;
  let redraw: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(redraw);
    redraw = undefined;
    if (!store.onChanged) return;
    store.onChanged();
    state = afterPrinting(state);
  };
  const store: ChatStore = {
    get state() {
      return state;
    },
    dispatch(event) {
      state = reduceChat(state, event);
      redraw ??= setTimeout(tell, REDRAW_MS);
    },
    press(key) {
      const pressed = pressKey(state, key, Date.now());
      state = pressed.state;
      tell();
      if (pressed.intent) store.onIntent(pressed.intent);
    },
    onIntent: () => {},
    onChanged: undefined,
    aside: (work) => work(),
  };
  return store;
}
