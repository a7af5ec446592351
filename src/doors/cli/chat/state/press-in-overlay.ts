import type { ChatKey } from "../editor/chat-key.ts";
import { replaceText } from "../editor/editor.ts";
import { answerOf } from "./answer-of.ts";
import { frontThread, type ChatState, type Overlay } from "./chat-state.ts";
import { findPrompts } from "./find-prompts.ts";
import type { PressedKey } from "./chat-intent.ts";
import { edited } from "./edited.ts";
import { pressInEditor } from "./press-in-editor.ts";
import { withOverlay } from "./reduce-chat.ts";
import { nextUnfoldable } from "./unfoldable.ts";

/** Lines of a result that a page is. */
const PAGE_LINES = 10;

/** What a key does to what lies over the conversation. */
export function pressInOverlay(state: ChatState, overlay: Overlay, key: ChatKey): PressedKey {
  if (key.kind === "escape") return { state: withOverlay(state, undefined) };
  switch (overlay.kind) {
    case "look":
      return pressAtLook(state, overlay, key);
    case "result":
      return pressAtResult(state, overlay, key);
    case "history":
      return pressInHistory(state, overlay, key);
    default:
      return pressInList(state, overlay, key);
  }
}

function stepOf(key: ChatKey): number {
  if (key.kind === "page") return key.by * PAGE_LINES;
  if (key.kind !== "move") return 0;
  return key.move === "up" ? -1 : key.move === "down" ? 1 : 0;
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

function pressAtLook(state: ChatState, { task, selected }: Of<"look">, key: ChatKey): PressedKey {
  if (key.kind === "text" && key.text === "s") return { state, intent: { kind: "stop", task } };
  const answer = task.question === undefined ? undefined : answerOf(key);
  if (answer) return { state, intent: { kind: "answer-task", task, answer } };
  return { state: withOverlay(state, { kind: "tasks", selected }) };
}

type Of<Kind extends Overlay["kind"]> = Extract<Overlay, { kind: Kind }>;

function pressAtResult(state: ChatState, overlay: Of<"result">, key: ChatKey): PressedKey {
  if (key.kind === "unfold") return { state: withOverlay(state, undefined) };
  // There is nothing here that a letter could mean.
  if (key.kind === "text") return pressInEditor(withOverlay(state, undefined), key);
  const step = stepOf(key);
  if (step !== 0) {
    const top = within(overlay.top + step, overlay.lines.length);
    return { state: withOverlay(state, { ...overlay, top }) };
  }
  const by =
    key.kind === "move" && key.move === "left" ? -1 : key.kind === "move" && key.move === "right" ? 1 : 0;
  const at = by === 0 ? undefined : nextUnfoldable(frontThread(state), overlay.at, by);
  return at === undefined ? { state } : { state, intent: { kind: "unfold", at } };
}

// What is typed is looked for; a key that erases takes letters of it away again.
function pressInHistory(state: ChatState, overlay: Of<"history">, key: ChatKey): PressedKey {
  const { query, selected } = overlay;
  const found = findPrompts(state.editor.history, query);
  const step = key.kind === "search-history" ? 1 : stepOf(key);
  if (step !== 0)
    return { state: withOverlay(state, { ...overlay, selected: within(selected + step, found.length) }) };
  if (key.kind === "text") {
    const line = key.text.replaceAll(/\s+/g, " ");
    return { state: withOverlay(state, { kind: "history", query: query + line, selected: 0 }) };
  }
  if (key.kind === "erase") {
    const left = key.what === "before" ? query.slice(0, -1) : "";
    return { state: withOverlay(state, { kind: "history", query: left, selected: 0 }) };
  }
  const chosen = found[selected];
  if (key.kind !== "enter" || chosen === undefined) return { state };
  return { state: withOverlay(edited(state, replaceText(state.editor, chosen), "other"), undefined) };
}

function pressInList(state: ChatState, overlay: Of<"tasks"> | Of<"sessions">, key: ChatKey): PressedKey {
  const count = overlay.kind === "tasks" ? state.tasks.length : overlay.sessions.length;
  // Tasks end while one looks at them: the choice stays on the list.
  const selected = within(overlay.selected, count);
  const step = stepOf(key);
  if (step !== 0)
    return { state: withOverlay(state, { ...overlay, selected: within(selected + step, count) }) };
  if (overlay.kind === "sessions") {
    const session = overlay.sessions[selected];
    if (key.kind !== "enter" || !session) return { state };
    return { state: withOverlay(state, undefined), intent: { kind: "resume", sessionId: session.id } };
  }
  const task = state.tasks[selected];
  if (!task) return { state };
  if (key.kind === "enter") return { state, intent: { kind: "look", task } };
  if (key.kind === "text" && key.text === "s") return { state, intent: { kind: "stop", task } };
  return { state };
}
