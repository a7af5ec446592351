/**
 * What a transcript holds was written by models, tools and strangers. On a terminal it may move the cursor,
 * rename the window, fill the clipboard or hide words behind others, so every display path goes through here.
 */

/** The text without anything a terminal would obey or a reader could not see. Newlines and tabs stay. */
export function terminalText(text: string): string {
  if (!needsCare.test(text)) return text;
  return text
    .replace(escapeSequence, "")
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(invisible, "")
    .replace(joiner, keepJoiner);
}

/** The same on one line: for a cell of a table, a title, a folded tool call. */
export function terminalLine(text: string): string {
  if (!needsCareOnLine.test(text)) return text;
  return terminalText(text).replace(unevenSpace, " ").trim();
}

// Printable ASCII with single spaces between words needs nothing.
const needsCareOnLine = /[^\x20-\x7e]|^ | $| {2}/;

// Only what changes: single spaces are most of all white space.
const unevenSpace = /[^\S ]\s*| \s+/g;

/**
 * One line in which nothing is left out: what a terminal would obey and what nobody would see is spelled (`\\u001b`), a tab is
 * four spaces. For what a person has to judge as it is: a command between the ends of an escape would not be seen otherwise.
 */
export function spelledLine(text: string): string {
  return text
    .replaceAll("\t", "    ")
    .replace(unseen, escapeUnits)
    .replace(
      joiner,
      (match, offset: number, whole: string) => keepJoiner(match, offset, whole) || escapeUnits(match),
    );
}

/** JSON text with the same characters as `\u` escapes: the value is unchanged, a terminal sees only ASCII of it. */
export function terminalJson(json: string): string {
  return json.replace(unsafeInJson, escapeUnits);
}

// Printable ASCII, newline and tab need nothing; nearly every text is only that.
const needsCare = /[^\n\t\x20-\x7e]/;

// A whole sequence goes, not only its first byte, or its rest would stand there as litter: CSI, then the
// strings (OSC, DCS, SOS, PM, APC) with their end, then ESC with one more. Each also in its one-byte (C1) form.
// A string that does not end loses only its introducer: what follows is shown rather than swallowed.
const escapeSequence = new RegExp(
  [
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?",
    "(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x1b\\x80-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)",
    "\\x1b[ -/]*[0-~]?",
  ].join("|"),
  "g",
);

const controls = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f";
const bidi = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
// Soft hyphen, fillers, zero-width space and joiner of words, invisible operators, annotations, tag characters and
// the selectors beyond the sixteen that emoji use: each has been used to hide text inside text.
const zeroWidth =
  "\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
const invisible = new RegExp(`[${controls}${bidi}${zeroWidth}]`, "gu");
const unseen = new RegExp(`[\\n\\u2028\\u2029${controls}${bidi}${zeroWidth}]`, "gu");

// Emoji and some scripts need the two joiners; between ASCII letters they only make equal words differ.
const joiner = /[\u200c\u200d]/g;

function keepJoiner(match: string, offset: number, text: string): string {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset + 1);
  return before > 0x7f && after > 0x7f ? match : "";
}

const unsafeInJson = new RegExp(`[\\x7f-\\x9f\\u2028\\u2029${bidi}${zeroWidth}]`, "gu");

function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    return `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
