import { wordsOf } from "./index-form.ts";
import { phrasesOf, type Query } from "./parse-query.ts";

/** How well a text matches: a number above zero, comparable with that of the index; undefined when it does not match. */
export function matchText(query: Query, text: string): number | undefined {
  const words = wordsOf(text);
  if (!matches(query, words)) return undefined;
  return phrasesOf(query).reduce((sum, phrase) => sum + weigh(countPhrase(phrase, words), words), 0);
}

interface Words {
  parts: string[];
  whole: string[];
}

function matches(query: Query, words: Words): boolean {
  switch (query.kind) {
    case "phrase":
      return countPhrase(query, words) > 0;
    case "or":
      return query.any.some((each) => matches(each, words));
    case "and":
      return (
        query.all.every((each) => matches(each, words)) && !query.none.some((each) => matches(each, words))
      );
  }
}

function countPhrase(
  { words, isPrefix }: { words: string[]; isPrefix: boolean },
  { parts, whole }: Words,
): number {
  const last = words.length - 1;
  const isWord = (word: string | undefined, index: number): boolean =>
    isPrefix && index === last ? (word?.startsWith(words[index]!) ?? false) : word === words[index];
  let count = last === 0 ? whole.filter((word) => isWord(word, 0)).length : 0;
  for (let at = 0; at <= parts.length - words.length; at++) {
    let index = 0;
    while (index <= last && isWord(parts[at + index], index)) index++;
    if (index > last) count++;
  }
  return count;
}

// As BM25 weighs: more is better, less and less so, and in a long text it means less. How rare a word is among all texts
// is not known without an index; one of a thousand is assumed.
const RARITY = Math.log(1000);
const K1 = 1.2;
const B = 0.75;
const USUAL_WORDS = 200;

function weigh(count: number, { parts }: Words): number {
  const length = 1 - B + (B * parts.length) / USUAL_WORDS;
  return (RARITY * count * (K1 + 1)) / (count + K1 * length);
}
