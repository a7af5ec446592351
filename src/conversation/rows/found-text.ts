import type { Entry } from "../../format/entries/entry.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { cutDepth } from "../../lib/json-text.ts";
import { beginningOf, endOf } from "../../lib/whole-characters.ts";
import { entryItems } from "../entry-items.ts";
import { foundContextLength } from "./limits.ts";

/** Everything that a page shows of an entry, or that is one click away, as texts. */
export function* textsOfEntry(entry: Entry): Generator<string> {
  for (const item of entryItems(entry)) {
    if (item.kind === "call") {
      yield item.tool.name ?? "";
      yield* textsIn(cutDepth(item.tool.input));
    } else if (item.kind === "result") yield item.result.text;
    else if (item.kind === "notification") {
      yield item.notification.summary;
      yield item.notification.result ?? "";
    } else {
      if ("name" in item && typeof item.name === "string") yield item.name;
      if ("text" in item) yield item.text;
    }
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const inner of value) yield* textsIn(inner);
  else if (isJsonObject(value)) for (const inner of Object.values(value)) yield* textsIn(inner);
}

export interface Snippet {
  snippet: string;
  highlights: { start: number; end: number }[];
}

/** The first match in a text with what stands around it, on one line; undefined when nothing matches. */
export function snippetOf(text: string, wanted: RegExp): Snippet | undefined {
  wanted.lastIndex = 0;
  const match = wanted.exec(text);
  // An expression that matches nothing at all matches everywhere.
  if (!match || match[0] === "") return undefined;
  const end = match.index + match[0].length;
  const before = endOf(
    text.slice(Math.max(0, match.index - foundContextLength), match.index),
    foundContextLength,
  );
  const shown = beginningOf(match[0], foundContextLength * 2);
  const after = beginningOf(text.slice(end, end + foundContextLength), foundContextLength);
  const snippet = (before + shown + after).replace(/\s/g, " ");
  return { snippet, highlights: [{ start: before.length, end: before.length + shown.length }] };
}
