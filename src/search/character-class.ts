/** What a character is to the cutting of words. From `letter` on, they make up words. */
export const CharacterClass = {
  unknown: 0,
  separator: 1,
  /** A word by itself: of a script without spaces, or a picture. */
  single: 2,
  letter: 3,
  digit: 4,
  small: 5,
  capital: 6,
} as const;

/** The class of the character at `at`; a pair of surrogates has one, which is found at its first half. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = classes[code]!;
  if (known !== CharacterClass.unknown) return known;
  if (code >= 0xd800 && code <= 0xdbff) return astralClass(text.codePointAt(at)!);
  return (classes[code] = classify(String.fromCharCode(code)));
}

// Asking a regular expression about every character would cost more than everything else; each is asked about once.
const classes = knownClasses();
const astralClasses = new Map<number, number>();

function astralClass(codePoint: number): number {
  let found = astralClasses.get(codePoint);
  if (found === undefined) {
    found = classify(String.fromCodePoint(codePoint));
    astralClasses.set(codePoint, found);
  }
  return found;
}

// Those of ASCII, so that a search for such words need not have the expressions made.
function knownClasses(): Uint8Array {
  const known = new Uint8Array(0x1_0000);
  for (let code = 0; code < 0x80; code++) known[code] = asciiClass(code);
  return known;
}

function asciiClass(code: number): number {
  if (code >= 0x30 && code <= 0x39) return CharacterClass.digit;
  if (code >= 0x41 && code <= 0x5a) return CharacterClass.capital;
  return code >= 0x61 && code <= 0x7a ? CharacterClass.small : CharacterClass.separator;
}

// Made when the first such character is met: a pattern in the source is read whenever the file is, and these take longer
// to read than all else in it.
function makePatterns(): Record<"single" | "written" | "small" | "capital" | "letter", RegExp> {
  const scripts = "Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar".split(" ");
  const inScripts = scripts.map((script) => `\\p{Script=${script}}`).join("");
  return {
    single: new RegExp(`[${inScripts}\\p{Extended_Pictographic}]`, "u"),
    written: new RegExp("[\\p{L}\\p{N}\\p{M}\\p{Extended_Pictographic}]", "u"),
    small: new RegExp("\\p{Ll}", "u"),
    capital: new RegExp("\\p{Lu}", "u"),
    letter: new RegExp("[\\p{L}\\p{N}\\p{M}]", "u"),
  };
}

let patterns: ReturnType<typeof makePatterns> | undefined;

function classify(character: string): number {
  const { single, written, small, capital, letter } = (patterns ??= makePatterns());
  if (single.test(character) && written.test(character)) return CharacterClass.single;
  if (small.test(character)) return CharacterClass.small;
  if (capital.test(character)) return CharacterClass.capital;
  return letter.test(character) ? CharacterClass.letter : CharacterClass.separator;
}
