import { chatPromptLengthMax } from "../limits.ts";
import { emptyEditor, eraseText, insertText, moveCursor, submitted, type Editor } from "../editor/editor.ts";
import type { ChatKey } from "../editor/chat-key.ts";
import { frontThread, PRESSED_AGAIN_MS, type ChatState, type ChatTask, type Overlay } from "./chat-state.ts";
import { withOverlay } from "./reduce-chat.ts";
import { parseSlashCommand, type SlashCommand } from "./slash-command.ts";

/** What a key asks for beyond the screen. */
export type ChatIntent =
  | { kind: "prompt"; text: string }
  | { kind: "command"; command: SlashCommand }
  | { kind: "answer"; toolUseId: string; answer: "yes" | "no" | "always" }
  | { kind: "interrupt" }
  | { kind: "background" }
  | { kind: "look"; task: ChatTask }
  | { kind: "stop"; task: ChatTask }
  | { kind: "answer-task"; task: ChatTask; answer: "yes" | "no" | "always" }
  | { kind: "resume"; sessionId: string }
  | { kind: "exit" }
  /** What was typed or pasted does not fit into a prompt. */
  | { kind: "too-long" };

export interface PressedKey {
  state: ChatState;
  intent?: ChatIntent;
}

/** What a key does: to the screen at once, and what it asks for. */
export function pressKey(state: ChatState, key: ChatKey, nowMs: number): PressedKey {
  if (key.kind === "interrupt") return pressInterrupt(state, nowMs);
  const { armed, ...rest } = state;
  if (key.kind === "background") return pressBackground(rest, armed, nowMs);
  if (rest.overlay) return pressInOverlay(rest, rest.overlay, key);
  const [asked] = frontThread(rest).asked;
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
  return { state: { ...armed, editor: emptyEditor(state.editor.history) } };
}

function pressBackground(state: ChatState, armed: ChatState["armed"], nowMs: number): PressedKey {
  if (!frontThread(state).query) return { state: { ...state, editor: moveCursor(state.editor, "left") } };
  if (isPressedAgain(armed, "background", nowMs)) return { state, intent: { kind: "background" } };
  return { state: { ...state, armed: { key: "background", atMs: nowMs } } };
}

function isPressedAgain(armed: ChatState["armed"], key: "background" | "exit", nowMs: number): boolean {
  return armed?.key === key && nowMs - armed.atMs <= PRESSED_AGAIN_MS[key];
}

const answers: ReadonlyMap<string, "yes" | "no" | "always"> = new Map([
  ["y", "yes"],
  ["n", "no"],
  ["a", "always"],
]);

function answerOf(key: ChatKey): "yes" | "no" | "always" | undefined {
  if (key.kind === "escape") return "no";
  return key.kind === "text" ? answers.get(key.text.toLowerCase()) : undefined;
}

function pressInEditor(state: ChatState, key: ChatKey): PressedKey {
  const { editor } = state;
  const edit = (next: Editor): PressedKey => ({ state: { ...state, editor: next } });
  switch (key.kind) {
    case "text":
      return editor.text.length + key.text.length > chatPromptLengthMax
        ? { state, intent: { kind: "too-long" } }
        : edit(insertText(editor, key.text));
    case "move":
      return edit(moveCursor(editor, key.move));
    case "erase":
      return edit(eraseText(editor, key.what));
    case "enter":
      return submit(state);
    case "end-of-input":
      return editor.text === "" ? { state, intent: { kind: "exit" } } : edit(eraseText(editor, "after"));
    default:
      return { state };
  }
}

// A backslash before Enter goes on in the next line: the one way that every terminal knows.
function submit(state: ChatState): PressedKey {
  const { editor } = state;
  if (editor.text.endsWith("\\") && editor.cursor === editor.text.length)
    return { state: { ...state, editor: insertText(eraseText(editor, "before"), "\n") } };
  const text = editor.text.trim();
  if (text === "") return { state };
  const next = { ...state, editor: submitted(editor) };
  const command = parseSlashCommand(text);
  return { state: next, intent: command ? { kind: "command", command } : { kind: "prompt", text } };
}

function pressInOverlay(state: ChatState, overlay: Overlay, key: ChatKey): PressedKey {
  if (key.kind === "escape") return { state: withOverlay(state, undefined) };
  if (overlay.kind === "look") return pressAtLook(state, overlay, key);
  const count = overlay.kind === "tasks" ? state.tasks.length : overlay.sessions.length;
  // Tasks end while one looks at them: the choice stays on the list.
  const selected = Math.min(overlay.selected, Math.max(0, count - 1));
  const by = key.kind === "move" ? ({ up: -1, down: 1 } as Record<string, number>)[key.move] : undefined;
  if (by !== undefined) {
    const moved = Math.max(0, Math.min(count - 1, selected + by));
    return { state: withOverlay(state, { ...overlay, selected: moved }) };
  }
  return chooseInList(state, { ...overlay, selected }, key);
}

function pressAtLook(state: ChatState, { task, selected }: LookOverlay, key: ChatKey): PressedKey {
  if (key.kind === "text" && key.text === "s") return { state, intent: { kind: "stop", task } };
  const answer = task.question === undefined ? undefined : answerOf(key);
  if (answer) return { state, intent: { kind: "answer-task", task, answer } };
  return { state: withOverlay(state, { kind: "tasks", selected }) };
}

type LookOverlay = Extract<Overlay, { kind: "look" }>;

function chooseInList(
  state: ChatState,
  overlay: Extract<Overlay, { kind: "tasks" | "sessions" }>,
  key: ChatKey,
): PressedKey {
  if (overlay.kind === "sessions") {
    const session = overlay.sessions[overlay.selected];
    if (key.kind !== "enter" || !session) return { state };
    return { state: withOverlay(state, undefined), intent: { kind: "resume", sessionId: session.id } };
  }
  const task = state.tasks[overlay.selected];
  if (!task) return { state };
  if (key.kind === "enter") return { state, intent: { kind: "look", task } };
  if (key.kind === "text" && key.text === "s") return { state, intent: { kind: "stop", task } };
  return { state };
}
