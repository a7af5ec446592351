import type { Random } from "./random.ts";

/** Text of the kind that transcripts hold: prose, code, numbered file views, logs, some of it outside ASCII. */
export interface Prose {
  words(count: number): string;
  /** At least `length` characters, already escaped for use between the quotes of a JSON string. */
  jsonText(length: number): string;
}

const VOCABULARY_SIZE = 12_000;
const PARAGRAPH_COUNT = 8192;
const SYLLABLES =
  "an ber cor del eni fa gra hol in jo kel lum mar nor op pre qui ros sen tal ul ven wex ya zo".split(" ");
const CODE_WORDS =
  "const return await import export if else for null true false string number Promise Error test git npm node src".split(
    " ",
  );
const BEYOND_ASCII = ["→", "✓", "…", "“quoted”", "naïve", "日本語", "🙂", "├──", "Ω"];

/** Escaping a gigabyte is slower than writing it, so text is assembled from paragraphs that were escaped once. */
export function createProse(random: Random): Prose {
  const vocabulary = Array.from({ length: VOCABULARY_SIZE }, () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(SYLLABLES)).join(""),
  );
  // A cubed fraction makes a few words common and most of them rare, as in real text.
  const word = (): string =>
    random.chance(0.15)
      ? random.pick(CODE_WORDS)
      : vocabulary[Math.floor(random.fraction() ** 3 * VOCABULARY_SIZE)]!;
  const words = (count: number): string => Array.from({ length: count }, word).join(" ");
  const paragraphs = Array.from({ length: PARAGRAPH_COUNT }, () =>
    JSON.stringify(paragraph(random, { word, words })).slice(1, -1),
  );
  return {
    words,
    jsonText(length) {
      let text = "";
      while (text.length < length) text += random.pick(paragraphs);
      return text;
    },
  };
}

function paragraph(
  random: Random,
  { word, words }: { word: () => string; words: (count: number) => string },
): string {
  const draw = random.fraction();
  if (draw < 0.35) return `${words(15 + random.below(35))}.\n\n`;
  if (draw < 0.55)
    return `  const ${word()} = await ${word()}.${word()}("${word()}", { ${word()}: ${random.below(999)} });\n`;
  if (draw < 0.75)
    return `${random.below(3000)}\t  if (${word()} !== '${word()}') throw new Error(\`${words(4)}\`);\n`;
  if (draw < 0.85)
    return `/home/dev/${word()}/${word()}.ts:${random.below(900)}:${random.below(80)}: ${words(6)}\n`;
  if (draw < 0.93) return `- **${words(2)}** \`${word()}\` ${words(10)}\n`;
  if (draw < 0.97) return `${random.pick(BEYOND_ASCII)} ${words(5)} ${random.pick(BEYOND_ASCII)}\n`;
  return `\u001b[32m${words(3)}\u001b[0m\t{"${word()}": "\\"uuid\\":\\"${word()}\\"", "type": "user"}\r\n`;
}
