import { editsUndoneMax } from "../limits.ts";
import type { Editor } from "./editor.ts";

/** What can be taken back, and what can be put in again. */
export interface EditMemory {
  /** The prompt before each change, the last one last. */
  undo: readonly Editor[];
  /** What was last cut out as a word or a line. */
  cut: string;
  /** Letters are being typed: all of them are one change. */
  isTyping: boolean;
}

export const noEdits: EditMemory = { undo: [], cut: "", isTyping: false };

export type EditKind = "typed" | "cut" | "other";

/** Notes what became of a prompt. A move ends a word that is being typed. */
export function noteEdit(
  memory: EditMemory,
  { before, after, kind }: { before: Editor; after: Editor; kind: EditKind },
): EditMemory {
  const erased = before.text.length - after.text.length;
  const cut =
    kind === "cut" && erased > 0 ? before.text.slice(after.cursor, after.cursor + erased) : memory.cut;
  if (before.text === after.text) return { ...memory, cut, isTyping: false };
  const isTyping = kind === "typed" && !/\s$/.test(after.text.slice(0, after.cursor));
  const isSameChange = kind === "typed" && memory.isTyping;
  return {
    undo: isSameChange ? memory.undo : [...memory.undo, before].slice(-editsUndoneMax),
    cut,
    isTyping,
  };
}
