import { streamOf } from "./stream-of.ts";

/** A stream of server-sent events. */
export async function eventsResponse(text: AsyncIterable<string>): Promise<Response> {
  return new Response(await streamOf(text), {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}
