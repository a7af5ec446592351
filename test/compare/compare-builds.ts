import fs from "node:fs";
import path from "node:path";
import { slowTranscripts } from "../recall/slow-documents.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import type { Build } from "./build.ts";
import { changeTranscripts } from "./change-transcripts.ts";
import { findDifference } from "./find-difference.ts";
import { indexQuestion, searchQuestions, transcriptQuestions, type Question } from "./questions.ts";
import { sampleWords } from "./sample-words.ts";

export interface Comparison {
  readonly before: Build;
  readonly after: Build;
  /** Is changed. */
  readonly configDir: string;
  readonly scratchDir: string;
  readonly searchedWords: number;
  readonly shownSessions: number;
  readonly random: SeededRandom;
  /** Hears of every comparison; `difference` is undefined where both answers are equal. */
  readonly onCompared: (title: string, difference: string | undefined) => void;
}

interface Homes {
  readonly before: string;
  readonly after: string;
}

/** Asks both builds the same questions: in new homes, again, with an index, after transcripts changed, in the old home. */
export function compareBuilds(comparison: Comparison): void {
  const { configDir, random } = comparison;
  const files = slowTranscripts(configDir);
  const searches = searchQuestions(sampleWords(files, comparison.searchedWords, random));
  const newHomes = (): Homes => ({ before: makeHome(comparison), after: makeHome(comparison) });
  const ask = (stage: string, homes: Homes, asked: readonly Question[]): void => {
    for (const question of asked) compareAnswers(comparison, { stage, homes, question });
  };

  const questions = currentQuestions(comparison);
  for (const question of questions) {
    const homes = newHomes();
    ask("nothing kept", homes, [question]);
    for (const home of [homes.before, homes.after]) fs.rmSync(home, { recursive: true });
  }
  const homes = newHomes();
  ask("no index", homes, searches);
  ask("kept by the question before", homes, questions);
  ask("kept", homes, questions);
  ask("index", homes, [indexQuestion, ...searches]);

  // What the old build has kept until now, for both to open after the change.
  const oldHomes = newHomes();
  for (const home of [oldHomes.before, oldHomes.after]) fs.cpSync(homes.before, home, { recursive: true });
  changeTranscripts(configDir, random);
  const later = currentQuestions(comparison);
  ask("changed", homes, [...later, ...searches]);
  ask("changed, index", homes, [indexQuestion, ...searches]);
  ask("in the old build's home", oldHomes, [...later, indexQuestion, ...searches]);
}

function makeHome({ scratchDir }: Comparison): string {
  return fs.mkdtempSync(path.join(scratchDir, "home-"));
}

/** The questions about transcripts as they are now: which are the newest, and which day is in their middle. */
function currentQuestions(comparison: Comparison): Question[] {
  const home = makeHome(comparison);
  const ask = (words: readonly string[]): unknown => comparison.before.ask(words, home).json;
  const { sessions } = ask(["sessions", "--all"]) as { sessions: { path: string }[] };
  const { rows } = ask(["usage"]) as { rows: { key: string }[] };
  fs.rmSync(home, { recursive: true });
  return transcriptQuestions({
    since: rows[Math.floor(rows.length / 2)]!.key,
    newest: sessions.slice(0, comparison.shownSessions).map(({ path: file }) => file),
  });
}

function compareAnswers(
  { before, after, configDir, onCompared }: Comparison,
  { stage, homes, question }: { stage: string; homes: Homes; question: Question },
): void {
  const title = `${stage}: ${question.words.join(" ").replace(`${configDir}${path.sep}`, "")}`;
  const answerOf = (build: Build): unknown => {
    const { code, json } = build.ask(question.words, homes[build.name]);
    return { code, json: question.comparable ? question.comparable(json) : json };
  };
  try {
    onCompared(title, findDifference(answerOf(before), answerOf(after)));
  } catch (error) {
    onCompared(title, (error as Error).message);
  }
}
