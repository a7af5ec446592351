import type { SeededRandom } from "../support/seeded-random.ts";
import { slowWords, type SlowQuery } from "../support/slow-search.ts";

/**
 * A query that somebody who remembers these texts might type: a word, an identifier, a phrase, a beginning, several of
 * them; now and then something that stands nowhere.
 */
export function randomQuery(random: SeededRandom, texts: readonly string[]): SlowQuery {
  const draw = random.next();
  const leaf = (): SlowQuery => randomLeaf(random, texts);
  if (draw < 0.7) return leaf();
  if (draw < 0.8) return { all: [leaf(), leaf()] };
  if (draw < 0.9) return { any: [leaf(), leaf()] };
  return { all: [leaf()], not: leaf() };
}

function randomLeaf(random: SeededRandom, texts: readonly string[]): SlowQuery {
  for (;;) {
    const query = leafIn(random, texts[random.between(0, texts.length - 1)]!);
    if (query && slowWords(query.words).parts.length > 0) return query;
  }
}

function leafIn(random: SeededRandom, text: string): { words: string } | undefined {
  const draw = random.next();
  const pieces = piecesAround(text, random.between(0, text.length));
  const piece = pieces[random.between(0, pieces.length - 1)] ?? "";
  const { parts } = slowWords(piece);
  const word = parts[random.between(0, parts.length - 1)] ?? "";
  if (draw < 0.3) return { words: word };
  if (draw < 0.6) return isTypable(piece) ? { words: piece } : undefined;
  if (draw < 0.85) {
    const from = random.between(0, pieces.length - 1);
    const phrase = pieces.slice(from, from + random.between(2, 4)).join(" ");
    return { words: phrase.replaceAll('"', " "), isPhrase: true } as { words: string };
  }
  if (draw < 0.97) {
    const characters = Array.from(word);
    const beginning = characters.slice(0, random.between(2, characters.length)).join("");
    return { words: beginning, isPrefix: true } as { words: string };
  }
  return { words: `${word}qzx${random.between(0, 1000)}` };
}

/** What stands between white space near a place, first and last left out: they may be cut. */
function piecesAround(text: string, at: number): string[] {
  return text
    .slice(Math.max(0, at - 80), at + 80)
    .split(/\s+/)
    .slice(1, -1);
}

// Signs and words that mean something to the grammar of queries are none to look for.
function isTypable(piece: string): boolean {
  return !/[()"]|^-|\*$|^(?:AND|OR|NOT)$/.test(piece);
}
