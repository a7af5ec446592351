/**
 * What a query finds, told the slow and obvious way: character by character, word by word, every text. Shares no code
 * with src/search, so that agreement between the two means something.
 */

/** A query as a tree that somebody might type. */
export type SlowQuery =
  | { words: string; isPhrase?: boolean; isPrefix?: boolean }
  | { all: SlowQuery[]; not?: SlowQuery }
  | { any: SlowQuery[] };

/** The query as it is typed. */
export function typed(query: SlowQuery): string {
  if ("any" in query) return `(${query.any.map(typed).join(" OR ")})`;
  if ("all" in query)
    return `(${query.all.map(typed).join(" ")}${query.not ? ` NOT ${typed(query.not)}` : ""})`;
  return (query.isPhrase ? `"${query.words}"` : query.words) + (query.isPrefix ? "*" : "");
}

/** The words of a text in order, identifiers cut at their humps; and those that were cut, uncut. */
export interface SlowWords {
  parts: string[];
  whole: Set<string>;
  /** The parts again: most texts lack a word, and need not be gone through to know it. */
  different: Set<string>;
}

export function slowMatch(query: SlowQuery, words: SlowWords): boolean {
  if ("any" in query) return query.any.some((each) => slowMatch(each, words));
  if ("all" in query)
    return query.all.every((each) => slowMatch(each, words)) && !(query.not && slowMatch(query.not, words));
  const { parts, whole, different } = words;
  const wanted = wordsOfQuery(query.words);
  const last = wanted.length - 1;
  const isWanted = (word: string | undefined, index: number): boolean =>
    query.isPrefix && index === last ? word?.startsWith(wanted[index]!) === true : word === wanted[index];
  const hasSome = (among: Set<string>, index: number): boolean =>
    among.has(wanted[index]!) ||
    (query.isPrefix === true && index === last && [...among].some((word) => isWanted(word, index)));
  if (last === 0 && hasSome(whole, 0)) return true;
  if (!wanted.every((_, index) => hasSome(different, index))) return false;
  return parts.some((_, at) => wanted.every((__, index) => isWanted(parts[at + index], index)));
}

const queryWords = new Map<string, string[]>();

function wordsOfQuery(text: string): string[] {
  let words = queryWords.get(text);
  if (!words) queryWords.set(text, (words = slowWords(text).parts));
  return words;
}

export function slowWords(text: string): SlowWords {
  const parts: string[] = [];
  const whole = new Set<string>();
  let word: string[] = [];
  const finish = (): void => {
    const cut = cutWord(word);
    parts.push(...cut.map(small));
    if (cut.length > 1) whole.add(small(word.join("")));
    word = [];
  };
  // An encoded file has no words.
  for (const character of text.normalize("NFC").replace(/[A-Za-z0-9+/]{512,}/g, " ")) {
    const kind = kindOf(character);
    if (kind === "alone") {
      finish();
      parts.push(character);
    } else if (kind === "gap") finish();
    else word.push(character);
  }
  finish();
  return { parts, whole, different: new Set(parts) };
}

// The sigma at the end of a word is the same letter.
function small(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

function cutWord(word: readonly string[]): string[] {
  if (word.length === 0) return [];
  const cut = [word[0]!];
  for (let at = 1; at < word.length; at++) {
    const [before, own, after] = [word[at - 1]!, word[at]!, word[at + 1]].map((each) => each && kindOf(each));
    const isHump =
      own === "capital" &&
      (before === "small" || ((before === "capital" || before === "digit") && after === "small"));
    if (isHump) cut.push(word[at]!);
    else cut[cut.length - 1] += word[at]!;
  }
  return cut;
}

type Kind = "small" | "capital" | "digit" | "letter" | "alone" | "gap";

const kinds = new Map<string, Kind>();

function kindOf(character: string): Kind {
  let kind = kinds.get(character);
  if (kind === undefined) kinds.set(character, (kind = slowKindOf(character)));
  return kind;
}

const WITHOUT_SPACES = [
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Bopomofo",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
];

function slowKindOf(character: string): Kind {
  if (/\p{Extended_Pictographic}/u.test(character)) return "alone";
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return "gap";
  if (WITHOUT_SPACES.some((script) => new RegExp(`\\p{Script=${script}}`, "u").test(character)))
    return "alone";
  if (/[0-9]/.test(character)) return "digit";
  if (/\p{Ll}/u.test(character)) return "small";
  return /\p{Lu}/u.test(character) ? "capital" : "letter";
}
