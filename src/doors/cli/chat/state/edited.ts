import { noteEdit, type EditKind } from "../editor/edit-memory.ts";
import type { Editor } from "../editor/editor.ts";
import type { ChatState } from "./chat-state.ts";

/** The prompt as it is now, with what it was before to go back to. */
export function edited(state: ChatState, editor: Editor, kind: EditKind): ChatState {
  return { ...state, editor, edits: noteEdit(state.edits, { before: state.editor, after: editor, kind }) };
}
