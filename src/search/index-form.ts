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
  const isAscii = !BEYOND_ASCII.test(text);
  const whole = new Set<string>();
  const parts = cutWords(withoutData(isAscii ? text : text.normalize("NFC")), whole);
  return { parts, whole: [...whole].join(" ") };
}

/** The words of a text in order, and the uncut ones, in small letters. */
export function wordsOf(text: string): { parts: string[]; whole: string[] } {
  const { parts, whole } = indexForm(text);
  return { parts: parts.toLowerCase().match(WORD) ?? [], whole: whole === "" ? [] : whole.split(" ") };
}

const BEYOND_ASCII = /[^\x00-\x7f]/;
const WORD = /[a-z0-9\u0080-\u{10ffff}]+/gu;

/** Nearly all text is ASCII, in which only humps have to be found; from anything else on, a line is walked through. */
function cutWords(text: string, whole: Set<string>): string {
  let parts = "";
  for (let from = 0; ;) {
    const rest = from === 0 ? text : text.slice(from);
    const foreign = rest.search(BEYOND_ASCII);
    if (foreign < 0) return parts + cutAscii(rest, whole);
    let start = foreign;
    while (start > 0 && isWordCode(rest.charCodeAt(start - 1))) start--;
    const newline = rest.indexOf("\n", foreign);
    const end = newline < 0 ? rest.length : newline;
    parts += cutAscii(rest.slice(0, start), whole);
    // The index itself makes only ASCII letters small.
    parts += smallLetters(cutForeign(rest.slice(start, end), whole));
    from += end;
  }
}

// aB, and the last capital before a word: HTTPServer, base64Encode. Begins with the capital, because few letters are.
const HUMP = /[A-Z](?:(?<=[a-z].)|(?<=[A-Z0-9].)(?=[a-z]))/g;

function cutAscii(text: string, whole: Set<string>): string {
  let parts = "";
  let copiedTo = 0;
  let wordEnd = 0;
  HUMP.lastIndex = 0;
  while (HUMP.test(text)) {
    const at = HUMP.lastIndex - 1;
    parts += `${text.slice(copiedTo, at)} `;
    copiedTo = at;
    if (at < wordEnd) continue;
    let wordStart = at;
    while (wordStart > 0 && isWordCode(text.charCodeAt(wordStart - 1))) wordStart--;
    wordEnd = at;
    while (wordEnd < text.length && isWordCode(text.charCodeAt(wordEnd))) wordEnd++;
    whole.add(text.slice(wordStart, wordEnd).toLowerCase());
  }
  return copiedTo === 0 ? text : parts + text.slice(copiedTo);
}

function isWordCode(code: number): boolean {
  return isData(code) && code >= 0x30;
}

/** The words of any script, one behind the other. */
function cutForeign(text: string, whole: Set<string>): string {
  const { word, hump } = (patterns ??= makePatterns());
  return (text.match(word) ?? []).map((each) => cutHumps(each, hump, whole)).join(" ");
}

function cutHumps(word: string, hump: RegExp, whole: Set<string>): string {
  if (word.search(hump) < 0) return word;
  whole.add(smallLetters(word));
  return word.replace(hump, " $&");
}

let patterns: Record<"word" | "hump", RegExp> | undefined;

// Made for the first text beyond ASCII: a pattern in the source is read whenever the file is, and these take longer to
// read than all else in it.
function makePatterns(): Record<"word" | "hump", RegExp> {
  const written = "[\\p{L}\\p{N}\\p{M}]";
  const unspaced = "Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar".split(" ");
  const scripts = unspaced.map((script) => `\\p{Script=${script}}`).join("");
  // A character of a script without spaces, or a picture, is a word by itself.
  const single = `[\\p{Extended_Pictographic}[${written}&&[${scripts}]]]`;
  return {
    word: new RegExp(`${single}|[${written}--${single}]+`, "gv"),
    // The same as HUMP, of letters of any script.
    hump: new RegExp("\\p{Lu}(?:(?<=\\p{Ll}.)|(?<=[\\p{Lu}0-9].)(?=\\p{Ll}))", "gu"),
  };
}

// A capital sigma becomes one of two, by what stands around it; here they are one.
function smallLetters(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
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
  if (code < 0x30) return code === PLUS || code === SLASH;
  return code <= 0x39 || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
