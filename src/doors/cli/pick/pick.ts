import type { ChatKey } from "../chat/editor/chat-key.ts";
import { cutEnd } from "../render/cut-text.ts";
import type { Style } from "../render/style.ts";
import { openFullScreen } from "../screen/full-screen.ts";
import { matching, type Choice } from "./choice.ts";
import { pickLines, type PickState } from "./pick-view.ts";

export interface PickOptions {
  title: string;
  choices: readonly Choice[];
  style: Style;
  isAsciiOnly: boolean;
}

/** Lets a person choose one; undefined when nothing is chosen. Drawn on standard error: standard output is the command's. */
export async function pick({ title, choices, style, isAsciiOnly }: PickOptions): Promise<Choice | undefined> {
  let state: PickState = { title, choices, shown: choices, typed: "", selected: 0, preview: [] };
  const previews = new Map<string, readonly string[]>();
  return new Promise((resolve) => {
    const draw = (): void => screen.draw(pickLines(state, { ...screen.size, style }));
    const show = async (): Promise<void> => {
      const choice = state.shown[state.selected];
      const { columns } = screen.size;
      const known = choice && previews.get(choice.id);
      state = { ...state, preview: known ?? [] };
      draw();
      if (!choice || known) return;
      const lines = await choice.preview({ columns, style }).catch(() => ["(cannot be read)"]);
      previews.set(choice.id, lines);
      if (state.shown[state.selected] !== choice) return;
      state = { ...state, preview: lines };
      draw();
    };
    const onKey = (key: ChatKey): void => {
      if (key.kind === "enter") return leave(state.shown[state.selected]);
      if (["escape", "interrupt", "end-of-input"].includes(key.kind)) return leave(undefined);
      state = pressed(state, key);
      void show();
    };
    const onResize = (): void => {
      previews.clear();
      void show();
    };
    const screen = openFullScreen({
      input: process.stdin,
      output: process.stderr,
      isAsciiOnly,
      onKey,
      onResize,
    });
    const leave = (choice: Choice | undefined): void => {
      screen.close();
      resolve(choice);
    };
    void show();
  });
}

/** How far Ctrl+A and Ctrl+E, Home and End go. */
const FAR = 1_000_000;
const steps: Readonly<Record<string, number>> = { up: -1, down: 1, "line-start": -FAR, "line-end": FAR };

/** What a key makes of it. */
export function pressed(state: PickState, key: ChatKey): PickState {
  const { typed, shown, selected, choices } = state;
  const filtered = (text: string): PickState => ({
    ...state,
    typed: text,
    shown: matching(choices, text),
    selected: 0,
  });
  switch (key.kind) {
    case "text":
      return filtered(cutEnd(typed + key.text.replace(/\s+/g, " "), 200));
    case "erase":
      return filtered(key.what === "before" ? typed.slice(0, -1) : key.what === "after" ? typed : "");
    case "move": {
      const to = selected + (steps[key.move] ?? 0);
      return { ...state, selected: Math.max(0, Math.min(shown.length - 1, to)) };
    }
    default:
      return state;
  }
}
