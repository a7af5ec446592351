import { computed, signal } from "@preact/signals";
import { ApiError } from "../api/api-error.ts";
import { tell } from "./event-bus.ts";
import { readStream, type StreamPiece } from "./read-stream.ts";
import { leadWatches, tellWishes, type TabWishes } from "./watches.ts";

/** `refused`: this browser is not signed in, or no longer. */
export interface Connection {
  state: "connecting" | "live" | "down" | "refused";
  since: number;
}

type Message =
  | { kind: "piece"; piece: StreamPiece }
  | { kind: "connection"; connection: Connection }
  | { kind: "wishes"; tab: string; wishes: TabWishes }
  /** A tab that came asks how things stand; a leader that is new asks what is to be watched. */
  | { kind: "who" };

const now = signal<Connection>({ state: "connecting", since: Date.now() });
export const connection = computed(() => now.value);

const tab = crypto.randomUUID();
const channel = new BroadcastChannel("holdfast");
const watches = leadWatches();
let isLeader = false;
let lastId: string | undefined;
let wake = new AbortController();

const RETRY_MS = [250, 500, 1000, 2000, 5000];

/**
 * Listens to what the server tells while the page is open, and leads when no other tab does: one stream a browser, which the
 * tab that leads reads and hands on to the others.
 */
export function startLive(): void {
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => take(data));
  tellWishes((wishes) => send({ kind: "wishes", tab, wishes }));
  send({ kind: "who" });
  addEventListener("online", () => wake.abort());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && now.peek().state !== "live") wake.abort();
  });
  addEventListener("pagehide", () =>
    send({ kind: "wishes", tab, wishes: { outputs: [], conversations: [] } }),
  );
  void navigator.locks.request("holdfast-stream", lead);
}

function send(message: Message): void {
  channel.postMessage(message);
  // A channel does not tell the one who speaks.
  if (message.kind !== "who") take(message);
}

function take(message: Message): void {
  if (message.kind === "piece") {
    lastId = message.piece.id ?? lastId;
    tell(message.piece.name, message.piece.data);
  } else if (message.kind === "connection") now.value = message.connection;
  else if (message.kind === "wishes") {
    if (isLeader) watches.set(message.tab, message.wishes);
  } else {
    if (isLeader) channel.postMessage({ kind: "connection", connection: now.peek() } satisfies Message);
    tellWishes();
  }
}

function setState(state: Connection["state"]): void {
  if (now.peek().state !== state) send({ kind: "connection", connection: { state, since: Date.now() } });
}

async function lead(): Promise<never> {
  isLeader = true;
  send({ kind: "who" });
  tellWishes();
  for (let failures = 0; ;) {
    wake = new AbortController();
    try {
      await readStream(lastId, {
        wake: wake.signal,
        onOpen: () => {
          failures = 0;
          setState("live");
        },
        onPiece: (piece) => {
          send({ kind: "piece", piece });
          watches.advance(piece);
        },
      });
    } catch (error) {
      setState(error instanceof ApiError && error.status === 401 ? "refused" : "down");
    }
    if (now.peek().state === "live") setState("connecting");
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!, wake.signal);
    failures += 1;
  }
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    until.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
