import type { ThreadEvent } from "../../../../agents/threads/thread-event.ts";
import type { ConversationItem } from "../../../../conversation/conversation-item.ts";
import { entryItems, type LooseCall } from "../../../../conversation/entry-items.ts";
import type { LooseResult } from "../../../../conversation/user-items.ts";
import { chatItemsMax } from "../limits.ts";
import { replaceText } from "../editor/editor.ts";
import type {
  ChatHeader,
  ChatState,
  ChatTask,
  Overlay,
  RunningCall,
  RunningQuery,
  Thread,
} from "./chat-state.ts";
import type { CompletedWord, Completion, CompletionChoice } from "./completion.ts";
import { edited } from "./edited.ts";

/** What happened, in the conversations and around them. */
export type ChatEvent =
  | { kind: "thread"; thread: string; change: ThreadEvent }
  /** Another conversation comes to the front; the one that was there stays only while its query runs. */
  | { kind: "fronted"; thread: Thread }
  | { kind: "dropped"; thread: string }
  | { kind: "tasks"; tasks: readonly ChatTask[] }
  | { kind: "overlay"; overlay: Overlay | undefined }
  /** What a word could become was found. */
  | { kind: "completed"; word: CompletedWord; choices: readonly CompletionChoice[] }
  /** The prompt was changed elsewhere. */
  | { kind: "edited"; text: string }
  | { kind: "header"; header: ChatHeader }
  /** Something that the chat itself has to say, in the conversation that is in front. */
  | { kind: "printed"; item: ConversationItem };

export function reduceChat(state: ChatState, event: ChatEvent): ChatState {
  switch (event.kind) {
    case "thread":
      return changeThread(state, event.thread, (thread) =>
        thread.id === state.front
          ? reduceThread(thread, event.change)
          : bounded(reduceThread(thread, event.change)),
      );
    case "fronted":
      return bringToFront(state, event.thread);
    case "dropped":
      return withoutThread(state, event.thread);
    case "tasks":
      return { ...state, tasks: event.tasks };
    case "overlay":
      return withOverlay(state, event.overlay);
    case "completed":
      return completed(state, event);
    case "edited":
      return edited(state, replaceText(state.editor, event.text), "other");
    case "header":
      return { ...state, header: event.header };
    case "printed":
      return changeThread(state, state.front, (thread) => withItem(thread, event.item));
  }
}

export function withOverlay(state: ChatState, overlay: Overlay | undefined): ChatState {
  const { overlay: _, ...rest } = state;
  return overlay ? { ...rest, overlay } : rest;
}

export function withCompletion(state: ChatState, completion: Completion | undefined): ChatState {
  const { completion: _, ...rest } = state;
  return completion ? { ...rest, completion } : rest;
}

// What was found for a word that has changed meanwhile is of no use.
function completed(
  state: ChatState,
  { word, choices }: { word: CompletedWord; choices: readonly CompletionChoice[] },
): ChatState {
  const now = state.completion?.word;
  if (now?.kind !== word.kind || now.typed !== word.typed) return state;
  return withCompletion(state, { word, choices, selected: 0 });
}

function changeThread(state: ChatState, id: string, change: (thread: Thread) => Thread): ChatState {
  const thread = state.threads[id];
  return thread ? { ...state, threads: { ...state.threads, [id]: change(thread) } } : state;
}

function bringToFront(state: ChatState, thread: Thread): ChatState {
  const before = state.threads[state.front];
  const kept = before?.query || before?.id === thread.id ? state : withoutThread(state, state.front);
  return {
    ...withOverlay(kept, undefined),
    screen: state.screen + 1,
    front: thread.id,
    threads: { ...kept.threads, [thread.id]: bounded(thread) },
  };
}

function withoutThread(state: ChatState, id: string): ChatState {
  const { [id]: _, ...threads } = state.threads;
  return { ...state, threads };
}

/** Without what need not be kept once it was printed. */
export function afterPrinting(state: ChatState): ChatState {
  return changeThread(state, state.front, bounded);
}

function bounded(thread: Thread): Thread {
  const { items, dropped } = thread;
  const excess = items.length - chatItemsMax;
  return excess > 0 ? { ...thread, items: items.slice(excess), dropped: dropped + excess } : thread;
}

function reduceThread(thread: Thread, event: ThreadEvent): Thread {
  switch (event.kind) {
    case "query-started":
      return { ...thread, query: { startedAtMs: event.atMs, text: "", calls: [] } };
    case "delta":
      return changeQuery(thread, (query) => ({ ...query, text: query.text + event.text }));
    case "activity":
      // A stream that broke is begun anew; what had come of it is not part of the answer.
      return changeQuery(thread, (query) => ({ ...query, text: "", activity: event.text }));
    case "output":
      return changeQuery(thread, (query) => ({ ...query, calls: query.calls.map(printing(event)) }));
    case "usage":
      return { ...thread, usage: { ...thread.usage, ...event.usage } };
    case "entry":
      return [...entryItems(event.entry)].reduce<Thread>(addItem, thread);
    case "todos":
      return { ...thread, todos: event.todos };
    case "asked":
      return { ...thread, asked: [...thread.asked, event.request] };
    case "answered":
      return { ...thread, asked: thread.asked.filter(({ toolUseId }) => toolUseId !== event.toolUseId) };
    case "queued":
      return { ...thread, queued: [...thread.queued, event.text] };
    case "queue-taken":
      return { ...thread, queued: [] };
    case "ending":
      return changeQuery(thread, (query) => ({ ...query, isEnding: true }));
    case "query-ended":
      return endQuery(thread, event.notice);
    case "backgrounded":
      return { ...thread, taskId: event.taskId };
  }
}

function changeQuery(thread: Thread, change: (query: RunningQuery) => RunningQuery): Thread {
  return thread.query ? { ...thread, query: change(thread.query) } : thread;
}

function printing({ toolUseId, text }: { toolUseId: string; text: string }) {
  return (call: RunningCall): RunningCall =>
    call.toolUseId === toolUseId ? Object.assign({}, call, { output: text }) : call;
}

// A call waits among what runs until its result comes; whatever is said makes the piece that was streamed complete.
function addItem(thread: Thread, item: ConversationItem | LooseCall | LooseResult): Thread {
  if (item.kind === "context") return thread;
  if (item.kind === "call")
    return changeQuery(thread, (query) => settled({ ...query, text: "", calls: [...query.calls, item] }));
  if (item.kind === "result") return addResult(thread, item);
  return withItem(
    changeQuery(thread, (query) => settled(item.kind === "answer" ? { ...query, text: "" } : query)),
    item,
  );
}

function addResult(thread: Thread, { toolUseId, result, agent }: LooseResult): Thread {
  const call = thread.query?.calls.find((each) => each.toolUseId === toolUseId);
  const left = changeQuery(thread, (query) =>
    settled({ ...query, calls: query.calls.filter((each) => each !== call) }),
  );
  if (!call) return withItem(left, { kind: "tool", detail: "", result });
  const { tool } = call;
  return withItem(left, { ...tool, result, ...(tool.agent && { agent: { ...tool.agent, ...agent } }) });
}

// What the agent did meanwhile is over when something has come of it.
function settled(query: RunningQuery): RunningQuery {
  const { activity: _, ...rest } = query;
  return rest;
}

// It may have failed before it was started.
const noQuery: RunningQuery = { startedAtMs: 0, text: "", calls: [] };

// What was cut off is shown as far as it came.
function endQuery(thread: Thread, notice: { text: string; isError: boolean } | undefined): Thread {
  const { query = noQuery, ...rest } = thread;
  const unanswered: ConversationItem[] = query.calls.map(({ tool }) => tool);
  const cutOff: ConversationItem[] =
    query.text.trim() === "" ? [] : [{ kind: "answer", text: `${query.text.trimEnd()} …` }];
  const said: ConversationItem[] = notice ? [{ kind: "notice", ...notice }] : [];
  return { ...rest, asked: [], items: [...rest.items, ...cutOff, ...unanswered, ...said] };
}

function withItem(thread: Thread, item: ConversationItem): Thread {
  return { ...thread, items: [...thread.items, item] };
}
