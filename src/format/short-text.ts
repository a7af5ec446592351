import { beginningOf } from "../lib/whole-characters.ts";

/** Line breaks and other control characters become single spaces, so that the text stays on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}

/** The first characters, with a note of how many were cut; never half of a surrogate pair. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = beginningOf(text, lengthMax);
  return `${kept}… [${text.length - kept.length} characters cut]`;
}
