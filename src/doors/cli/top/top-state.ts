import type { ListedTask } from "../../../tasks/list/listed-task.ts";
import type { NeededInput } from "../../../tasks/kinds/agent/agent-progress.ts";
import type { ChatKey } from "../chat/editor/chat-key.ts";
import { statusText } from "../tasks/status-text.ts";

export interface TopState {
  /** Newest first, those that wait for an answer before all others. */
  tasks: readonly ListedTask[];
  /** Undefined while there are none. */
  selectedId: string | undefined;
  /** Ended ones, too. */
  isAll: boolean;
  /** Only tasks with this in their line. */
  filter: string;
  /** What is typed goes into the filter. */
  isTyping: boolean;
  /** The selected task has the whole window. */
  isFollowing: boolean;
  /** Whose stop was asked for once. */
  armedId: string | undefined;
  /** The end of what the selected task said. */
  said: readonly string[];
  /** What came of the last key. */
  message: string;
}

export const initialTop: TopState = {
  tasks: [],
  selectedId: undefined,
  isAll: false,
  filter: "",
  isTyping: false,
  isFollowing: false,
  armedId: undefined,
  said: [],
  message: "",
};

export type TopIntent =
  | { kind: "leave" }
  | { kind: "stop"; id: string }
  /** To the question that was on the screen, whatever is asked by now. */
  | { kind: "answer"; id: string; requestId: string; isAllowed: boolean }
  | { kind: "look" };

export function shownTasks({ tasks, filter }: TopState): ListedTask[] {
  const word = filter.toLowerCase();
  return tasks.filter(({ id, name = "", description, cwd, state }) =>
    `${id} ${name} ${description} ${cwd} ${statusText(state)}`.toLowerCase().includes(word),
  );
}

/** The selected one, or the first where that is gone. */
export function selectedTask(state: TopState): ListedTask | undefined {
  const shown = shownTasks(state);
  return shown.find(({ id }) => id === state.selectedId) ?? shown[0];
}

export function questionOf(task: ListedTask | undefined): NeededInput | undefined {
  return task?.state.status === "running" ? task.state.needsInput : undefined;
}

/** New tasks, in order. The selected one stays so: no other may come below a finger that is about to press a key. */
export function withTasks(before: TopState, tasks: readonly ListedTask[]): TopState {
  const asks = (task: ListedTask): number => (questionOf(task) ? 0 : 1);
  const state = { ...before, selectedId: selectedTask(before)?.id };
  return { ...state, tasks: [...tasks].sort((a, b) => asks(a) - asks(b) || b.startedAtMs - a.startedAtMs) };
}

interface Pressed {
  state: TopState;
  intent?: TopIntent;
}

export function pressTop(before: TopState, key: ChatKey): Pressed {
  const state = { ...before, message: "", armedId: undefined };
  if (key.kind === "interrupt" || key.kind === "end-of-input") return { state, intent: { kind: "leave" } };
  if (state.isTyping) return pressInFilter(state, key);
  if (key.kind === "move") return { state: moved(state, key.move), intent: { kind: "look" } };
  if (key.kind === "escape") return escaped(state);
  if (key.kind === "enter") return { state: { ...state, isFollowing: !state.isFollowing } };
  return key.kind === "text" ? pressLetters(before, state, key.text) : { state };
}

function pressInFilter(state: TopState, key: ChatKey): Pressed {
  const look: TopIntent = { kind: "look" };
  switch (key.kind) {
    case "text": {
      // Enter may come in one piece with what was typed before it.
      const [typed = "", ...after] = key.text.split(/[\r\n]/);
      const filter = state.filter + typed.replace(/\s+/g, " ");
      return { state: { ...state, filter, isTyping: after.length === 0 }, intent: look };
    }
    case "erase":
      return {
        state: { ...state, filter: key.what === "before" ? state.filter.slice(0, -1) : "" },
        intent: look,
      };
    case "enter":
      return { state: { ...state, isTyping: false } };
    case "escape":
      return { state: { ...state, isTyping: false, filter: "" }, intent: look };
    case "move":
      return { state: moved(state, key.move), intent: look };
    default:
      return { state };
  }
}

function escaped(state: TopState): Pressed {
  if (state.isFollowing) return { state: { ...state, isFollowing: false } };
  if (state.filter !== "") return { state: { ...state, filter: "" }, intent: { kind: "look" } };
  return { state, intent: { kind: "leave" } };
}

// What comes as several letters was pasted or typed ahead: only a search and moves take them, so that nothing is allowed
// or stopped by it.
function pressLetters(before: TopState, state: TopState, text: string): Pressed {
  if (text.length === 1) return pressLetter(before, state, text);
  if (text.startsWith("/"))
    return pressInFilter(
      { ...state, isTyping: true, isFollowing: false },
      { kind: "text", text: text.slice(1) },
    );
  if (!/^[jk]+$/.test(text)) return { state };
  const to = text.split("").reduce((now, letter) => moved(now, letter === "j" ? "down" : "up"), state);
  return { state: to, intent: { kind: "look" } };
}

function pressLetter(before: TopState, state: TopState, letter: string): Pressed {
  const task = selectedTask(state);
  switch (letter) {
    case "q":
      return { state, intent: { kind: "leave" } };
    case "j":
      return { state: moved(state, "down"), intent: { kind: "look" } };
    case "k":
      return { state: moved(state, "up"), intent: { kind: "look" } };
    case "f":
      return { state: { ...state, isFollowing: !state.isFollowing } };
    case "/":
      return { state: { ...state, isTyping: true, isFollowing: false } };
    case "a":
      return { state: { ...state, isAll: !state.isAll }, intent: { kind: "look" } };
    case "y":
    case "n":
      return answered(state, { task, isAllowed: letter === "y" });
    case "s":
      if (!task || "endedAt" in task.state) return { state: { ...state, message: "It has ended." } };
      return before.armedId === task.id
        ? { state, intent: { kind: "stop", id: task.id } }
        : { state: { ...state, armedId: task.id, message: `Press s again to stop ${task.id}` } };
    default:
      return { state };
  }
}

function answered(
  state: TopState,
  { task, isAllowed }: { task: ListedTask | undefined; isAllowed: boolean },
): Pressed {
  const question = questionOf(task);
  if (!task || !question) return { state: { ...state, message: "This task asks nothing." } };
  return { state, intent: { kind: "answer", id: task.id, requestId: question.requestId, isAllowed } };
}

function moved(state: TopState, move: string): TopState {
  const shown = shownTasks(state);
  const at = shown.findIndex(({ id }) => id === selectedTask(state)?.id);
  const to =
    move === "line-start"
      ? 0
      : move === "line-end"
        ? shown.length - 1
        : at + (move === "up" ? -1 : move === "down" ? 1 : 0);
  return { ...state, selectedId: shown[Math.max(0, Math.min(shown.length - 1, to))]?.id };
}
