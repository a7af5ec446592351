import { emptyEditor, moveCursor } from "../editor/editor.ts";
import type { ChatKey } from "../editor/chat-key.ts";
import { answerOf } from "./answer-of.ts";
import { frontThread, PRESSED_AGAIN_MS, type ChatState } from "./chat-state.ts";
import type { PressedKey } from "./chat-intent.ts";
import { edited } from "./edited.ts";
import { pressInEditor } from "./press-in-editor.ts";
import { pressInOverlay } from "./press-in-overlay.ts";
import { withCompletion, withOverlay } from "./reduce-chat.ts";
import { nextUnfoldable } from "./unfoldable.ts";

/** What a key does: to the screen at once, and what it asks for. */
export function pressKey(state: ChatState, key: ChatKey, nowMs: number): PressedKey {
  if (key.kind === "interrupt") return pressInterrupt(state, nowMs);
  const { armed, ...rest } = state;
  if (key.kind === "background") return pressBackground(rest, armed, nowMs);
  if (rest.overlay) return pressInOverlay(rest, rest.overlay, key);
  const thread = frontThread(rest);
  if (key.kind === "unfold") {
    const at = nextUnfoldable(thread, thread.dropped + thread.items.length, -1);
    return at === undefined ? { state: rest } : { state: rest, intent: { kind: "unfold", at } };
  }
  const [asked] = thread.asked;
  // An answer is given on purpose: into a prompt that is half written, letters go on being typed.
  if (asked && rest.editor.text === "") {
    const answer = answerOf(key);
    if (answer) return { state: rest, intent: { kind: "answer", toolUseId: asked.toolUseId, answer } };
  }
  return pressInEditor(rest, key);
}

// It ends what is nearest: an overlay, a query, a half-written prompt; pressed again soon, the chat.
function pressInterrupt(state: ChatState, nowMs: number): PressedKey {
  if (isPressedAgain(state.armed, "exit", nowMs)) return { state, intent: { kind: "exit" } };
  if (state.overlay) return { state: withOverlay(state, undefined) };
  const armed = { ...state, armed: { key: "exit", atMs: nowMs } } as const;
  if (frontThread(state).query) return { state: armed, intent: { kind: "interrupt" } };
  const emptied = edited(armed, emptyEditor(state.editor.history), "other");
  return { state: withCompletion(emptied, undefined) };
}

function pressBackground(state: ChatState, armed: ChatState["armed"], nowMs: number): PressedKey {
  if (!frontThread(state).query) return { state: { ...state, editor: moveCursor(state.editor, "left") } };
  if (isPressedAgain(armed, "background", nowMs)) return { state, intent: { kind: "background" } };
  return { state: { ...state, armed: { key: "background", atMs: nowMs } } };
}

function isPressedAgain(armed: ChatState["armed"], key: "background" | "exit", nowMs: number): boolean {
  return armed?.key === key && nowMs - armed.atMs <= PRESSED_AGAIN_MS[key];
}
