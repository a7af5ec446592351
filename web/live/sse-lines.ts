export interface ServerSentEvent {
  id: string | undefined;
  name: string;
  data: string;
}

/**
 * The events of a stream of server-sent events. A comment comes as undefined: it says that the stream lives. Read by hand,
 * because the browser's own reader hides comments, and with them that a stream is dead.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) yield parseEvent(block);
  }
}

export function parseEvent(block: string): ServerSentEvent | undefined {
  let [id, name]: [string | undefined, string] = [undefined, "message"];
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, name, data: data.join("\n") };
}
