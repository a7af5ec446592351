import { jsonText } from "../../../lib/json-text.ts";
import { streamOf } from "./stream-of.ts";

/** Values as they are made, a line of JSON each. */
export function linesResponse(values: AsyncIterable<unknown>): Response {
  return new Response(streamOf(jsonLines(values)), {
    headers: { "Content-Type": "application/x-ndjson; charset=utf-8" },
  });
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${jsonText(value)}\n`;
}
