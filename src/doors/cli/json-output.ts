import { terminalJson } from "../../lib/terminal-text.ts";
import type { Output } from "./output.ts";

/** JSON text that is written as it stands. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Writes one JSON object, `schemaVersion` first. A field may be a value, a function that is asked when its turn
 * has come, or an async iterable: that becomes an array, written item by item, never held whole.
 */
export async function writeJsonObject(output: Output, fields: Record<string, unknown>): Promise<void> {
  await output.write('{"schemaVersion":1');
  for (const [name, field] of Object.entries(fields)) {
    const value = typeof field === "function" ? (field as () => unknown)() : field;
    await output.write(`,${JSON.stringify(name)}:`);
    if (isAsyncIterable(value) || Array.isArray(value)) await writeArray(output, value);
    else await output.write(encode(value));
  }
  await output.write("}\n");
  await output.flush();
}

// One item a line: people can read it, and line tools can cut it.
async function writeArray(output: Output, items: AsyncIterable<unknown> | unknown[]): Promise<void> {
  let count = 0;
  for await (const item of items) {
    await output.write(count === 0 ? "[\n" : ",\n");
    await output.write(encode(item));
    count += 1;
  }
  await output.write(count === 0 ? "[]" : "\n]");
}

function encode(value: unknown): string {
  return terminalJson(value instanceof RawJson ? value.text : (JSON.stringify(value) ?? "null"));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
