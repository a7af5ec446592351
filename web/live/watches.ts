import type { ServerEvents, WatchBody } from "../../src/doors/server/api/index.ts";
import { ask } from "../api/ask.ts";
import type { StreamPiece } from "./read-stream.ts";

export type TabWishes = WatchBody;
type OutputWish = WatchBody["outputs"][number];
type ConversationWish = WatchBody["conversations"][number];

// What this tab shows, and wants to be told of as it grows. Asked for anew each time, so that it says how far it is.
const outputs = new Set<() => OutputWish>();
const conversations = new Set<() => ConversationWish>();
let say: (wishes: TabWishes) => void = () => {};

/** Has the output told of as it grows. Returns what ends that. */
export function watchOutput(wish: () => OutputWish): () => void {
  return add(outputs, wish);
}

export function watchConversation(wish: () => ConversationWish): () => void {
  return add(conversations, wish);
}

function add<Wish>(all: Set<() => Wish>, wish: () => Wish): () => void {
  all.add(wish);
  tellWishes();
  return () => {
    all.delete(wish);
    tellWishes();
  };
}

/** Tells whoever leads what this tab watches; `how` is said once. */
export function tellWishes(how?: (wishes: TabWishes) => void): void {
  if (how) say = how;
  else
    say({
      outputs: [...outputs].map((wish) => wish()),
      conversations: [...conversations].map((wish) => wish()),
    });
}

interface LedWatches {
  set(tab: string, wishes: TabWishes): void;
  /** Notes how far the watched ones are, so that a later word does not go back. */
  advance(piece: StreamPiece): void;
}

/** What all tabs want, said to the server as one. */
export function leadWatches(): LedWatches {
  const byTab = new Map<string, TabWishes>();
  let stream: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const post = (): void => {
    timer = undefined;
    if (stream === undefined) return;
    const wishes = [...byTab.values()];
    const body: WatchBody = {
      outputs: uniqueBy(
        wishes.flatMap((each) => each.outputs),
        outputKey,
      ),
      conversations: uniqueBy(
        wishes.flatMap((each) => each.conversations),
        conversationKey,
      ),
    };
    // A stream that ended meanwhile: the next one is told by `hello`.
    ask("POST /api/events/{stream}/watch", { path: { stream }, body }).catch(() => {});
  };
  const postSoon = (): void => {
    timer ??= setTimeout(post, 10);
  };

  return {
    set(tab, wishes) {
      if (wishes.outputs.length + wishes.conversations.length === 0 && !byTab.has(tab)) return;
      if (wishes.outputs.length + wishes.conversations.length === 0) byTab.delete(tab);
      else byTab.set(tab, wishes);
      postSoon();
    },
    advance({ name, data }) {
      if (name === "hello") {
        ({ stream } = data as ServerEvents["hello"]);
        postSoon();
      } else if (name === "output") {
        const { task, stream: of, to } = data as ServerEvents["output"];
        for (const { outputs: each } of byTab.values())
          for (const wish of each)
            if (wish.task === task && wish.stream === of) wish.from = Math.max(wish.from, to);
      } else if (name === "rows") {
        const { generation, total, ...rows } = data as ServerEvents["rows"];
        for (const { conversations: each } of byTab.values())
          for (const wish of each)
            if (
              wish.session === rows.session &&
              (wish.agent ?? null) === rows.agent &&
              wish.view === rows.view
            )
              Object.assign(wish, { generation, total });
      }
    },
  };
}

const outputKey = ({ task, stream }: OutputWish): string => `${task} ${stream}`;
const conversationKey = ({ session, project, agent, view, leaf }: ConversationWish): string =>
  [session, project, agent, view, leaf].join(" ");

// Of two that watch the same, the first: each takes what it does not have yet.
function uniqueBy<Wish>(wishes: Wish[], keyOf: (wish: Wish) => string): Wish[] {
  return [...new Map(wishes.toReversed().map((wish) => [keyOf(wish), wish])).values()];
}
