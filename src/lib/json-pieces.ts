import { jsonText } from "./json-text.ts";
import { terminalJson } from "./terminal-text.ts";

/** JSON text that is written as it stands. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * One JSON object as text, piece by piece, `schemaVersion` first. A field may be a value, a function that is asked when its
 * turn has come, or an async iterable: that becomes an array, item by item, never held whole.
 */
export async function* jsonPieces(fields: Record<string, unknown>): AsyncGenerator<string> {
  yield '{"schemaVersion":1';
  for (const [name, field] of Object.entries(fields)) {
    const value = typeof field === "function" ? (field as () => unknown)() : field;
    yield `,${JSON.stringify(name)}:`;
    if (isAsyncIterable(value) || Array.isArray(value)) yield* arrayPieces(value);
    else yield encode(value);
  }
  yield "}\n";
}

// One item a line: people can read it, and line tools can cut it.
async function* arrayPieces(items: AsyncIterable<unknown> | unknown[]): AsyncGenerator<string> {
  let count = 0;
  for await (const item of items) {
    yield `${count === 0 ? "[\n" : ",\n"}${encode(item)}`;
    count += 1;
  }
  yield count === 0 ? "[]" : "\n]";
}

function encode(value: unknown): string {
  return terminalJson(value instanceof RawJson ? value.text : jsonText(value));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
