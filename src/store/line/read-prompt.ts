import { mayTellSpeaker, textTyped, typedTextOf } from "../../format/entry-kinds.ts";
import { entryOfLine } from "./read-line.ts";
import type { Skim } from "./skimmed-keys.ts";

/** Of a longer prompt only so much is read: a pasted file need not be, for its first words. */
const PROMPT_BYTES = 1024;
const SPACE = 0x20;

/** What was typed in the line of a user, perhaps cut; undefined where nobody typed. */
export function readPrompt(skimmed: Skim, bytes: Buffer, start: number, end: number): string | undefined {
  const line = bytes.subarray(start, end);
  const { start: from, end: to } = skimmed.contentText;
  if (from >= 0) {
    const before = bytes.toString("latin1", start, from);
    const behind = bytes.toString("latin1", to, end);
    const isTyped = isPlain(skimmed, before, behind) && !line.includes(0);
    const text = isTyped ? readBeginning(bytes, from, to) : undefined;
    const typed = text && textTyped(text);
    if (typed) return typed;
  }
  // Results of tools are no prompt, and may be long.
  else if (skimmed.toolResults.length > 0) return undefined;
  const entry = entryOfLine(line);
  return entry && typedTextOf(entry);
}

// Whether the line is a message as clients write it, and what stands beside its text says nothing against a person. To parse
// that, as is done for all others, would take longer than the rest.
function isPlain(line: Skim, before: string, behind: string): boolean {
  const { uuid, parentUuid, timestamp, isSidechain, isMeta } = line;
  return (
    !isSidechain &&
    !isMeta &&
    uuid.start >= 0 &&
    uuid.end > uuid.start &&
    timestamp.start >= 0 &&
    (parentUuid.start >= 0 || before.startsWith('{"parentUuid":null')) &&
    !mayTellSpeaker(before) &&
    !mayTellSpeaker(behind)
  );
}

// The beginning of a string's value; undefined where that is no text.
function readBeginning(bytes: Buffer, from: number, to: number): string | undefined {
  // A space is part of no escape and of no longer character.
  const cut = to - from > PROMPT_BYTES ? bytes.lastIndexOf(SPACE, from + PROMPT_BYTES) : to;
  if (cut <= from) return undefined;
  const text = bytes.toString("utf8", from, cut);
  if (!NEEDS_PARSING.test(text)) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

// oxlint-disable-next-line no-control-regex -- no string of JSON holds one of these
const NEEDS_PARSING = /[\\\u0000-\u001f]/;
