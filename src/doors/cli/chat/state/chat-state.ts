import type { ThreadUsage } from "../../../../agents/threads/thread-event.ts";
import type { NeededInput } from "../../../../tasks/kinds/agent/agent-progress.ts";
import type { AgentTodo, PermissionRequest } from "../../../../tasks/ports.ts";
import type { ConversationItem } from "../../../../conversation/conversation-item.ts";
import type { LooseCall } from "../../../../conversation/entry-items.ts";
import { noEdits, type EditMemory } from "../editor/edit-memory.ts";
import { emptyEditor, type Editor } from "../editor/editor.ts";
import type { Completion } from "./completion.ts";

/** Everything that the screen shows. Changed only by `reduceChat` and `pressKey`, which are pure. */
export interface ChatState {
  /** Counts up when the screen is to be cleared: another conversation stands there now. */
  screen: number;
  /** The conversation that is on the screen. */
  front: string;
  threads: Readonly<Record<string, Thread>>;
  /** What runs in the background, of this project. */
  tasks: readonly ChatTask[];
  editor: Editor;
  edits: EditMemory;
  /** What the word at the cursor could become. */
  completion?: Completion;
  overlay?: Overlay;
  /** Who is talked to, and where. */
  header?: ChatHeader;
  /** A key that does something only when it is pressed again. */
  armed?: { key: "background" | "exit"; atMs: number };
}

/** What holds for all conversations of a chat. */
export interface ChatHeader {
  agent: string;
  folder: string;
  permission: string;
  /** The one that was asked for. */
  model?: string;
}

/** One conversation of this chat: the one in front, or one whose query runs in the background. */
export interface Thread {
  id: string;
  /** The newest of what was said and done. */
  items: readonly ConversationItem[];
  /** How many came before these: all of them are in the transcript. */
  dropped: number;
  query?: RunningQuery;
  /** Prompts typed while the query runs, which it has not taken yet. */
  queued: readonly string[];
  todos: readonly AgentTodo[];
  /** Questions that wait for an answer, the oldest first. */
  asked: readonly PermissionRequest[];
  usage?: ThreadUsage;
  /** Its name as a task, once it was put into the background. */
  taskId?: string;
}

export interface RunningQuery {
  startedAtMs: number;
  /** What has come of the answer so far. */
  text: string;
  /** Tools that run now. */
  calls: readonly RunningCall[];
  activity?: string;
  /** It was told to stop. */
  isEnding?: boolean;
}

export interface RunningCall extends LooseCall {
  /** How its output ends now. */
  output?: string;
}

export interface ChatTask {
  id: string;
  label: string;
  status: string;
  startedAt: string;
  /** Somebody has to answer a question of it. */
  needsInput: boolean;
  /** That question, where it is answered in the task and not in a conversation of this chat. */
  question?: NeededInput;
}

export type Overlay =
  | { kind: "tasks"; selected: number }
  | { kind: "sessions"; selected: number; sessions: readonly SessionChoice[] }
  /** The end of a task's output. */
  | { kind: "look"; task: ChatTask; lines: readonly string[]; selected: number }
  /** Earlier prompts that hold what is typed. */
  | { kind: "history"; query: string; selected: number }
  /** All of an item, by its number in the conversation; `top` is the first line that is shown. */
  | { kind: "result"; at: number; title: string; lines: readonly string[]; top: number };

export interface SessionChoice {
  id: string;
  title: string;
  updatedAt: string;
}

/** A key counts as pressed again within this time: as long as one needs to read what pressing it again does. */
export const PRESSED_AGAIN_MS = { background: 2000, exit: 1000 } as const;

export function emptyThread(id: string): Thread {
  return { id, items: [], dropped: 0, queued: [], todos: [], asked: [] };
}

export function initialChat(thread: Thread, { history }: { history: readonly string[] }): ChatState {
  return {
    screen: 0,
    front: thread.id,
    threads: { [thread.id]: thread },
    tasks: [],
    editor: emptyEditor(history),
    edits: noEdits,
  };
}

export function frontThread({ threads, front }: ChatState): Thread {
  return threads[front] ?? emptyThread(front);
}
