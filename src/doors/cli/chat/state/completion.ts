import type { Editor } from "../editor/editor.ts";
import { insertText } from "../editor/editor.ts";
import { slashCommands } from "./slash-command.ts";

/** The word at the cursor that can be completed. */
export interface CompletedWord {
  kind: "command" | "file" | "session";
  /** What was typed of it, without what says what it is. */
  typed: string;
}

export interface CompletionChoice {
  text: string;
  /** What it is, for who chooses. */
  hint: string;
}

export interface Completion {
  word: CompletedWord;
  choices: readonly CompletionChoice[];
  selected: number;
}

/** The word that ends at the cursor: a command, what a command is given, a file. Undefined when it is none of them. */
export function wordAt({ text, cursor }: Editor): CompletedWord | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([a-z-]*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: "command", typed: command };
  const session = /^\/resume\s+(\S*)$/.exec(before)?.[1];
  if (session !== undefined) return { kind: "session", typed: session };
  const file = /(?:^|\s)@(\S*)$/.exec(before)?.[1];
  return file === undefined ? undefined : { kind: "file", typed: file };
}

/** The commands that begin like what was typed. */
export function commandChoices(typed: string): CompletionChoice[] {
  return slashCommands
    .filter(({ name }) => name.startsWith(typed) && name !== typed)
    .map(({ name, text }) => ({ text: name, hint: text }));
}

/** Puts a choice in the place of what was typed. */
export function takeChoice(editor: Editor, { word, choices, selected }: Completion): Editor {
  const choice = choices[selected];
  if (!choice) return editor;
  const start = editor.cursor - word.typed.length;
  const text = editor.text.slice(0, start) + editor.text.slice(editor.cursor);
  const isFollowed = /^\s/.test(editor.text.slice(editor.cursor));
  return insertText({ ...editor, text, cursor: start }, `${choice.text}${isFollowed ? "" : " "}`);
}
