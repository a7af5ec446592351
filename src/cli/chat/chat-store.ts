import type { ChatKey } from "./editor/chat-key.ts";
import type { ChatState } from "./state/chat-state.ts";
import { pressKey, type ChatIntent } from "./state/press-key.ts";
import { reduceChat, type ChatEvent } from "./state/reduce-chat.ts";

/** Holds what the screen shows, and tells it and whoever acts on keys. */
export interface ChatStore {
  readonly state: ChatState;
  dispatch(event: ChatEvent): void;
  press(key: ChatKey): void;
  /** Told of what keys ask for, in their order. */
  onIntent: (intent: ChatIntent) => void;
  /** Told of the newest state, not of each: an answer comes in pieces faster than anybody reads. */
  subscribe(listener: (state: ChatState) => void): () => void;
}

const REDRAW_MS = 33;

export function openChatStore(initial: ChatState): ChatStore {
  let state = initial;
  let redraw: NodeJS.Timeout | undefined;
  const listeners = new Set<(state: ChatState) => void>();
  const tell = (): void => {
    clearTimeout(redraw);
    redraw = undefined;
    for (const listener of listeners) listener(state);
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
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(redraw);
      };
    },
  };
  return store;
}
