import { jsonText } from "../../../lib/json-text.ts";
import { streamOf } from "./stream-of.ts";

/** Values as they are made, a line of JSON each. */
export async function linesResponse(values: AsyncIterable<unknown>): Promise<Response> {
  return new Response(await streamOf(jsonLines(values)), {
    headers: { "Content-Type": "application/x-ndjson; charset=utf-8" },
  });
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${jsonText(value)}\n`;
}
