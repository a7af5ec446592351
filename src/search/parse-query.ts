import { queryLengthMax } from "./limits.ts";
import { searchError } from "./errors.ts";
import { wordsOf } from "./index-form.ts";

/** What is looked for. A phrase of one word may also be a whole identifier; the last word of a prefix may go on. */
export type Query =
  | { kind: "phrase"; words: string[]; isPrefix: boolean }
  | { kind: "and"; all: Query[]; none: Query[] }
  | { kind: "or"; any: Query[] };

/**
 * Reads what somebody typed: words (all must occur), "phrases", prefix*, OR, AND, NOT or -word, and parentheses. Whatever
 * is not this grammar is looked for as words. Throws `query_invalid` when nothing is left to look for.
 */
export function parseQuery(text: string): Query {
  if (text.length > queryLengthMax)
    throw searchError(
      "query_invalid",
      `Cannot search for a query of ${text.length} characters: at most ${queryLengthMax}`,
    );
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  const reader = { tokens, at: 0 };
  const parts: Query[] = [];
  // A parenthesis that closes nothing is passed over.
  while (reader.at < tokens.length) {
    const query = readOr(reader);
    if (query) parts.push(query);
    reader.at++;
  }
  const query = joinAnd(parts, []);
  if (!query) throw searchError("query_invalid", `Cannot search for "${text}": it has no word to search for`);
  return query;
}

const TOKEN = /[()]|-?"[^"]*"?\*?|[^\s()"]+/g;

interface Reader {
  tokens: string[];
  at: number;
}

function readOr(reader: Reader): Query | undefined {
  const any: Query[] = [];
  for (;;) {
    const query = readAnd(reader);
    if (query) any.push(query);
    if (reader.tokens[reader.at] !== "OR") break;
    reader.at++;
  }
  return any.length > 1 ? { kind: "or", any } : any[0];
}

function readAnd(reader: Reader): Query | undefined {
  const all: Query[] = [];
  const none: Query[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token === ")" || token === "OR") break;
    if (token === "AND") {
      reader.at++;
      continue;
    }
    const isNot = token === "NOT";
    if (isNot) reader.at++;
    const { query, isNegated } = readTerm(reader);
    if (query) (isNot || isNegated ? none : all).push(query);
  }
  return joinAnd(all, none);
}

function readTerm(reader: Reader): { query: Query | undefined; isNegated: boolean } {
  const token = reader.tokens[reader.at++];
  if (token === undefined || token === ")") return { query: undefined, isNegated: false };
  if (token === "(") {
    const query = readOr(reader);
    if (reader.tokens[reader.at] === ")") reader.at++;
    return { query, isNegated: false };
  }
  const isNegated = token.length > 1 && token.startsWith("-") && token[1] !== "-";
  const text = isNegated ? token.slice(1) : token;
  const { parts } = wordsOf(text);
  const query: Query | undefined =
    parts.length === 0 ? undefined : { kind: "phrase", words: parts, isPrefix: text.endsWith("*") };
  return { query, isNegated };
}

// Only what must not occur finds nothing: there is no list of everything else.
function joinAnd(all: Query[], none: Query[]): Query | undefined {
  if (all.length === 0) return undefined;
  return all.length === 1 && none.length === 0 ? all[0] : { kind: "and", all, none };
}

/** The query in the words of FTS5. A phrase is looked for among the parts only: uncut words have no neighbours. */
export function toFts(query: Query): string {
  switch (query.kind) {
    case "phrase": {
      const text = `"${query.words.join(" ")}"${query.isPrefix ? " *" : ""}`;
      return query.words.length === 1 ? text : `parts : ${text}`;
    }
    case "or":
      return `(${query.any.map(toFts).join(" OR ")})`;
    case "and":
      return `(${[query.all.map(toFts).join(" AND "), ...query.none.map(toFts)].join(" NOT ")})`;
  }
}

/** A word, in small ASCII letters and digits, as it stands in a text: between others, or at its beginning only. */
export interface NeedleWord {
  word: string;
  isPrefix: boolean;
}

/**
 * Words of which every text that matches has at least one: what has none need not be looked at. Undefined where that
 * cannot be said (a word beyond ASCII may be written in several ways).
 */
export function needlesOf(query: Query): NeedleWord[] | undefined {
  switch (query.kind) {
    case "phrase": {
      const words = query.words.map((word, index) => ({
        word,
        isPrefix: query.isPrefix && index === query.words.length - 1,
      }));
      const ascii = words.filter(({ word }) => /^[a-z0-9]+$/.test(word));
      const longest = ascii.sort((a, b) => b.word.length - a.word.length)[0];
      return longest && [longest];
    }
    case "or": {
      const each = query.any.map(needlesOf);
      return each.every((needles) => needles !== undefined) ? each.flat() : undefined;
    }
    case "and": {
      const each = query.all.map(needlesOf).filter((needles) => needles !== undefined);
      // Few and long ones are rare.
      return each.sort((a, b) => a.length - b.length || shortestOf(b) - shortestOf(a))[0];
    }
  }
}

function shortestOf(needles: readonly NeedleWord[]): number {
  return Math.min(...needles.map(({ word }) => word.length));
}

/** Every phrase that a hit may show: not those that must not occur. */
export function phrasesOf(query: Query): { words: string[]; isPrefix: boolean }[] {
  switch (query.kind) {
    case "phrase":
      return [query];
    case "or":
      return query.any.flatMap(phrasesOf);
    case "and":
      return query.all.flatMap(phrasesOf);
  }
}
