import { errorOf } from "../api/api-error.ts";
import { readEvents } from "./sse-lines.ts";

export interface StreamPiece {
  id: string | undefined;
  name: string;
  data: unknown;
}

/** A heartbeat comes every 15 seconds; two missed ones, and the connection is dead. */
const SILENCE_MS = 35_000;

/**
 * Reads the server's events until the stream ends, fails, or is silent for too long: then it throws or returns. `wake` ends
 * it early when there is a reason to believe that it is dead, such as a laptop that woke up.
 */
export async function readStream(
  after: string | undefined,
  { onPiece, onOpen, wake }: { onPiece: (piece: StreamPiece) => void; onOpen: () => void; wake: AbortSignal },
): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const stop = AbortSignal.any([wake, silence.signal]);
  try {
    const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
    const response = await fetch(`/api/events${query}`, {
      signal: stop,
      headers: { Accept: "text/event-stream" },
    });
    if (!response.ok) throw await errorOf(response);
    onOpen();
    for await (const event of readEvents(response.body!)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (event) onPiece({ id: event.id, name: event.name, data: JSON.parse(event.data) });
    }
  } finally {
    clearTimeout(timer);
  }
}
