import { jsonText } from "../../../lib/json-text.ts";
import { streamOf } from "./stream-of.ts";

/**
 * Values as they are made, a line of JSON each. The first one is waited for, so that what is refused at once has the status of
 * an error.
 */
export async function linesResponse(values: AsyncIterable<unknown>): Promise<Response> {
  const iterator = values[Symbol.asyncIterator]();
  const first = await iterator.next();
  return new Response(streamOf(jsonLines(first, iterator)), {
    headers: { "Content-Type": "application/x-ndjson; charset=utf-8" },
  });
}

async function* jsonLines(
  first: IteratorResult<unknown>,
  iterator: AsyncIterator<unknown>,
): AsyncGenerator<string> {
  try {
    for (let each = first; !each.done; each = await iterator.next()) yield `${jsonText(each.value)}\n`;
  } finally {
    await iterator.return?.();
  }
}
