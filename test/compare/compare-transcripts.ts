import fs from "node:fs";
import { slowTranscripts } from "../recall/slow-documents.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import { askBoth, newHomes, type Comparison, type Homes } from "./ask-both.ts";
import { changeTranscripts } from "./change-transcripts.ts";
import { indexQuestion, searchQuestions, transcriptQuestions, type Question } from "./questions.ts";
import { sampleWords } from "./sample-words.ts";

export interface TranscriptComparison extends Comparison {
  /** Is changed. */
  readonly configDir: string;
  readonly searchedWords: number;
  readonly shownSessions: number;
  readonly random: SeededRandom;
}

/** Asks about transcripts: in new homes, again, with an index, after transcripts changed, in the old build's home. */
export function compareTranscripts(comparison: TranscriptComparison): void {
  const { configDir, random } = comparison;
  const files = slowTranscripts(configDir);
  const words = sampleWords(files, comparison.searchedWords, random);
  const searches = searchQuestions(words, { isIndexCurrent: true });
  const searchesBehind = searchQuestions(words, { isIndexCurrent: false });
  const ask = (stage: string, homes: Homes, questions: readonly Question[]): void =>
    askBoth(comparison, { stage, homes, questions });

  const questions = currentQuestions(comparison);
  for (const question of questions) {
    const homes = newHomes(comparison);
    ask("nothing kept", homes, [question]);
    for (const home of [homes.before, homes.after]) fs.rmSync(home, { recursive: true });
  }
  const homes = newHomes(comparison);
  ask("no index", homes, searches);
  ask("kept by the question before", homes, questions);
  ask("kept", homes, questions);
  ask("index", homes, [indexQuestion, ...searches]);

  // What the old build has kept until now, for both to open after the change.
  const oldHomes = newHomes(comparison);
  for (const home of [oldHomes.before, oldHomes.after]) fs.cpSync(homes.before, home, { recursive: true });
  changeTranscripts(configDir, random);
  const later = currentQuestions(comparison);
  ask("changed", homes, [...later, ...searchesBehind]);
  ask("changed, index", homes, [indexQuestion, ...searches]);
  ask("in the old build's home", oldHomes, [...later, indexQuestion, ...searchesBehind]);
}

/** The questions about transcripts as they are now: which are the newest, and which day is in their middle. */
function currentQuestions(comparison: TranscriptComparison): Question[] {
  const { before: home } = newHomes(comparison);
  const ask = (words: readonly string[]): unknown => comparison.before.ask(words, home).json;
  const { sessions } = ask(["sessions", "--all"]) as { sessions: { path: string }[] };
  const { rows } = ask(["usage"]) as { rows: { key: string }[] };
  fs.rmSync(home, { recursive: true });
  return transcriptQuestions({
    since: rows[Math.floor(rows.length / 2)]!.key,
    newest: sessions.slice(0, comparison.shownSessions).map(({ path: file }) => file),
  });
}
