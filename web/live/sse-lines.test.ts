import { expect, test } from "vitest";
import { readEvents } from "./sse-lines.ts";

test("readEvents() puts events together from any pieces, and tells of comments", async () => {
  const text =
    'id: 7\nevent: task\ndata: {"a":\ndata: 1}\n\n: still here\n\nevent: counts\r\ndata: {}\r\n\r\nid: 8\nda';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 1000]) {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events = [];
    for await (const event of readEvents(pieces)) events.push(event);
    expect(events).toEqual([
      { id: "7", name: "task", data: '{"a":\n1}' },
      undefined,
      { id: undefined, name: "counts", data: "{}" },
    ]);
  }
});
