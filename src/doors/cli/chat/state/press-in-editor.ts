import type { EditKind } from "../editor/edit-memory.ts";
import type { ChatKey } from "../editor/chat-key.ts";
import { eraseText, insertText, moveCursor, submitted, type Editor } from "../editor/editor.ts";
import { chatPromptLengthMax } from "../limits.ts";
import type { ChatState } from "./chat-state.ts";
import { commandChoices, takeChoice, wordAt, type Completion } from "./completion.ts";
import type { PressedKey } from "./chat-intent.ts";
import { edited } from "./edited.ts";
import { withCompletion, withOverlay } from "./reduce-chat.ts";
import { parseSlashCommand } from "./slash-command.ts";

/** What a key does to the prompt that is being typed. */
export function pressInEditor(state: ChatState, key: ChatKey): PressedKey {
  const { editor, completion } = state;
  if (completion && completion.choices.length > 0) {
    const pressed = pressInCompletion(state, completion, key);
    if (pressed) return pressed;
  }
  switch (key.kind) {
    case "text":
      return editor.text.length + key.text.length > chatPromptLengthMax
        ? { state, intent: { kind: "too-long" } }
        : change(state, insertText(editor, key.text), key.text.length === 1 ? "typed" : "other");
    case "move":
      return { state: withCompletion(edited(state, moveCursor(editor, key.move), "other"), undefined) };
    case "erase":
      return change(state, eraseText(editor, key.what), /word|line/.test(key.what) ? "cut" : "other");
    case "yank":
      return change(state, insertText(editor, state.edits.cut), "other");
    case "undo":
      return undo(state);
    case "complete":
      return offer(state);
    case "enter":
      return submit(state);
    case "ask-aside":
      return askAside(state);
    case "end-of-input":
      return editor.text === ""
        ? { state, intent: { kind: "exit" } }
        : change(state, eraseText(editor, "after"), "other");
    case "search-history":
      return { state: withOverlay(state, { kind: "history", query: "", selected: 0 }) };
    case "external-editor":
      return { state: withCompletion(state, undefined), intent: { kind: "edit" } };
    default:
      return { state };
  }
}

function change(state: ChatState, editor: Editor, kind: EditKind): PressedKey {
  return offer(edited(state, editor, kind));
}

function undo(state: ChatState): PressedKey {
  const { edits, editor } = state;
  const before = edits.undo.at(-1);
  if (!before) return { state };
  // What was sent meanwhile is remembered all the same.
  const back = { ...before, history: editor.history };
  return offer({
    ...state,
    editor: back,
    edits: { ...edits, undo: edits.undo.slice(0, -1), isTyping: false },
  });
}

// Commands are known; files and sessions have to be looked for.
function offer(state: ChatState): PressedKey {
  const word = wordAt(state.editor);
  if (!word) return { state: withCompletion(state, undefined) };
  if (word.kind === "command")
    return { state: withCompletion(state, { word, choices: commandChoices(word.typed), selected: 0 }) };
  const { completion } = state;
  // Until they are found, what was there stays, if it is of the same kind: the screen does not flicker.
  const choices = completion?.word.kind === word.kind ? completion.choices : [];
  return {
    state: withCompletion(state, { word, choices, selected: 0 }),
    intent: { kind: "complete", word },
  };
}

function pressInCompletion(state: ChatState, completion: Completion, key: ChatKey): PressedKey | undefined {
  const { choices, selected } = completion;
  if (key.kind === "escape") return { state: withCompletion(state, undefined) };
  if (key.kind === "complete") {
    const taken = takeChoice(state.editor, completion);
    return { state: withCompletion(edited(state, taken, "other"), undefined) };
  }
  const by = key.kind !== "move" ? 0 : key.move === "up" ? -1 : key.move === "down" ? 1 : 0;
  if (by === 0) return undefined;
  const next = (selected + by + choices.length) % choices.length;
  return { state: withCompletion(state, { ...completion, selected: next }) };
}

function askAside(state: ChatState): PressedKey {
  const argument = state.editor.text.trim();
  if (argument === "" || parseSlashCommand(argument)) return { state };
  const next = withCompletion({ ...state, editor: submitted(state.editor) }, undefined);
  return { state: next, intent: { kind: "command", command: { name: "background", argument } } };
}

// A backslash before Enter goes on in the next line: the one way that every terminal knows.
function submit(state: ChatState): PressedKey {
  const { editor } = state;
  if (editor.text.endsWith("\\") && editor.cursor === editor.text.length)
    return change(state, insertText(eraseText(editor, "before"), "\n"), "other");
  const text = editor.text.trim();
  if (text === "") return { state };
  const next = withCompletion({ ...state, editor: submitted(editor) }, undefined);
  const command = parseSlashCommand(text);
  return { state: next, intent: command ? { kind: "command", command } : { kind: "prompt", text } };
}
