/**
 * A text as the index holds it. `parts` are its words, camelCase ones cut at their humps, so that `parseTaskOutput`,
 * `parse_task_output` and "parse task output" are the same three words; `whole` are the words that were cut, uncut.
 * Characters of scripts that write without spaces are words by themselves. Letters count as they are written, in either case.
 */
export interface IndexForm {
  /** Words with anything in between that is neither an ASCII letter or digit nor beyond ASCII. */
  parts: string;
  whole: string;
}

export function indexForm(text: string): IndexForm {
  if (BEYOND_ASCII.test(text)) {
    // The index itself makes only ASCII letters small.
    const { parts, whole } = cutHumps(withoutMarks(text), ANY_HUMP);
    return { parts: parts.toLowerCase(), whole };
  }
  return cutHumps(text, ASCII_HUMP);
}

function cutHumps(text: string, hump: RegExp): IndexForm {
  const words = withoutData(text);
  return { parts: words.replace(hump, "$& "), whole: humpedWords(words, hump).join(" ") };
}

/** The text without runs of letters, digits, + and / so long that they are data (an encoded file), no words. */
function withoutData(text: string): string {
  let kept = "";
  let from = 0;
  // Every such run has a character at one of these places, so only these are looked at.
  for (let at = DATA_LENGTH_MIN - 1; at < text.length; at += DATA_LENGTH_MIN) {
    if (at < from || !isData(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > from && isData(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isData(text.charCodeAt(end))) end++;
    if (end - start < DATA_LENGTH_MIN) continue;
    kept += `${text.slice(from, start)} `;
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

const DATA_LENGTH_MIN = 512;
const PLUS = 0x2b;
const SLASH = 0x2f;

function isData(code: number): boolean {
  return code < 0x80 && (isLetter(code) || code === PLUS || code === SLASH);
}

// From each hump to both ends of its word: far fewer steps than looking at every word.
function humpedWords(text: string, hump: RegExp): string[] {
  const found = new Set<string>();
  hump.lastIndex = 0;
  for (let match = hump.exec(text); match; match = hump.exec(text)) {
    let start = match.index;
    let end = match.index + 1;
    while (start > 0 && isLetter(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isLetter(text.charCodeAt(end))) end++;
    found.add(text.slice(start, end).toLowerCase());
    hump.lastIndex = end;
  }
  return [...found];
}

function isLetter(code: number): boolean {
  if (code < 0x30) return false;
  return code <= 0x39 || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0x80;
}

/** The words of a text in order, and the uncut ones, in small letters. */
export function wordsOf(text: string): { parts: string[]; whole: string[] } {
  const { parts, whole } = indexForm(text);
  return { parts: parts.toLowerCase().match(WORD) ?? [], whole: whole === "" ? [] : whole.split(" ") };
}

/** One word or number of the index form. */
export const WORD: RegExp = /[a-z0-9\u0080-\u{10ffff}]+/giu;

// The character before a hump: aB, and the last capital before a word (HTTPServer, base64Encode).
const ASCII_HUMP = /[a-z](?=[A-Z])|[A-Z0-9](?=[A-Z][a-z])/g;
const ANY_HUMP = /\p{Ll}(?=\p{Lu})|[\p{Lu}0-9](?=\p{Lu}\p{Ll})/gu;

const BEYOND_ASCII = /[^\x00-\x7f]/;
// Scripts without spaces, and pictures: each character is a word.
const SINGLE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/gu;
const NO_WORD = /[^\x00-\x7f\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu;

// Beyond ASCII everything is a letter to the index, so quotes, dashes and lines go here.
function withoutMarks(text: string): string {
  return text.normalize("NFC").replace(NO_WORD, " ").replace(SINGLE, " $& ");
}
