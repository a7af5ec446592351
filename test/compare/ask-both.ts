import fs from "node:fs";
import path from "node:path";
import type { Build } from "./build.ts";
import { findDifference } from "./find-difference.ts";
import type { Question } from "./questions.ts";

/** Two builds, and who hears of every comparison; `difference` is undefined where both answers are equal. */
export interface Comparison {
  readonly before: Build;
  readonly after: Build;
  readonly scratchDir: string;
  readonly onCompared: (title: string, difference: string | undefined) => void;
}

/** What each build keeps for itself. */
export interface Homes {
  readonly before: string;
  readonly after: string;
}

export function newHomes({ scratchDir }: Comparison): Homes {
  const make = (): string => fs.mkdtempSync(path.join(scratchDir, "home-"));
  return { before: make(), after: make() };
}

/** Asks both builds the same questions, one after the other. */
export function askBoth(
  { before, after, scratchDir, onCompared }: Comparison,
  { stage, homes, questions }: { stage: string; homes: Homes; questions: readonly Question[] },
): void {
  for (const { words, comparable } of questions) {
    const answerOf = (build: Build): unknown => {
      const { code, json } = build.ask(words, homes[build.name]);
      return { code, json: comparable ? comparable(json) : json };
    };
    const title = `${stage}: ${words.join(" ").replace(`${scratchDir}${path.sep}`, "")}`;
    try {
      onCompared(title, findDifference(answerOf(before), answerOf(after)));
    } catch (error) {
      onCompared(title, (error as Error).message);
    }
  }
}
