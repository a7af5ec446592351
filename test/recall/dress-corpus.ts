import fs from "node:fs";
import path from "node:path";
import type { SeededRandom } from "../support/seeded-random.ts";

/**
 * Makes a config folder of the transcripts of a corpus, whatever their folders are called there. They came with every
 * letter of their texts crossed out ("Xxxx xxx xxxXxxx"); each such word gets letters again, of the same number and case.
 */
export function dressCorpus(corpus: string, configDir: string, random: SeededRandom): void {
  const project = path.join(configDir, "projects", "-corpus");
  fs.mkdirSync(project, { recursive: true });
  const words = new Map<number, string[]>();
  const wordFor = (crossed: string): string => {
    let known = words.get(crossed.length);
    if (!known) words.set(crossed.length, (known = makeWords(random, crossed.length)));
    // A few words are common, most are rare.
    const word = known[Math.floor(random.next() ** 3 * known.length)]!;
    return crossed.replace(/[Xx]/g, (letter, at: number) =>
      letter === "X" ? word[at]!.toUpperCase() : word[at]!,
    );
  };
  fs.readdirSync(corpus, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .forEach((name, index) => {
      const text = fs.readFileSync(path.join(corpus, name), "utf8");
      fs.writeFileSync(path.join(project, `${index}.jsonl`), text.replace(/[Xx]{2,}/g, wordFor));
    });
}

const WORDS_OF_A_LENGTH = 1000;

function makeWords(random: SeededRandom, length: number): string[] {
  const letters = "etaoinshrdlucmfwypvbgkjqxz";
  return Array.from({ length: WORDS_OF_A_LENGTH }, () =>
    Array.from({ length }, () => letters[Math.floor(random.next() ** 1.5 * letters.length)]!).join(""),
  );
}
