import type { ChatState, ChatTask } from "./chat-state.ts";
import type { CompletedWord } from "./completion.ts";
import type { SlashCommand } from "./slash-command.ts";

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
  /** Finds what a word could become. */
  | { kind: "complete"; word: CompletedWord }
  /** Shows all of an item, by its number in the conversation. */
  | { kind: "unfold"; at: number }
  /** Goes on with the prompt in the person's own editor. */
  | { kind: "edit" }
  | { kind: "exit" }
  /** What was typed or pasted does not fit into a prompt. */
  | { kind: "too-long" };

export interface PressedKey {
  state: ChatState;
  intent?: ChatIntent;
}
