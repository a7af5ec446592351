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

export function slowMatch(query: SlowQuery, text: string): boolean {
  if ("any" in query) return query.any.some((each) => slowMatch(each, text));
  if ("all" in query)
    return query.all.every((each) => slowMatch(each, text)) && !(query.not && slowMatch(query.not, text));
  const wanted = slowWords(query.words).parts;
  const { parts, whole } = slowWords(text);
  const isSame = (word: string | undefined, index: number): boolean =>
    query.isPrefix && index === wanted.length - 1
      ? word?.startsWith(wanted[index]!) === true
      : word === wanted[index];
  if (wanted.length === 1 && whole.some((word) => isSame(word, 0))) return true;
  return parts.some((_, at) => wanted.every((__, index) => isSame(parts[at + index], index)));
}

function slowWords(text: string): { parts: string[]; whole: string[] } {
  const parts: string[] = [];
  const whole: string[] = [];
  let word: string[] = [];
  const finish = (): void => {
    const cut = cutWord(word);
    parts.push(...cut.map((part) => part.toLowerCase()));
    if (cut.length > 1) whole.push(word.join("").toLowerCase());
    word = [];
  };
  for (const character of text.normalize("NFC")) {
    if (isAlone(character)) {
      finish();
      parts.push(character);
    } else if (/[\p{L}\p{N}\p{M}]/u.test(character)) word.push(character);
    else finish();
  }
  finish();
  return { parts, whole };
}

function isAlone(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character);
}

function cutWord(word: readonly string[]): string[] {
  if (word.length === 0) return [];
  const cut = [word[0]!];
  for (let at = 1; at < word.length; at++) {
    const [before, character, after] = [word[at - 1]!, word[at]!, word[at + 1] ?? ""];
    const isCapital = /\p{Lu}/u.test(character);
    const isHump =
      isCapital && (/\p{Ll}/u.test(before) || (/[\p{Lu}0-9]/u.test(before) && /\p{Ll}/u.test(after)));
    if (isHump) cut.push(character);
    else cut[cut.length - 1] += character;
  }
  return cut;
}
