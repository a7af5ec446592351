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
    const answerOf = (build: Build, home = homes[build.name]): unknown => {
      const { code, json } = build.ask(words, home);
      return { code, json: comparable ? comparable(json) : json };
    };
    // Where the older build contradicts itself in a home in which nothing is kept, that answer is the right one.
    const inNewHome = (): unknown => {
      const home = fs.mkdtempSync(path.join(scratchDir, "home-"));
      const answer = answerOf(before, home);
      fs.rmSync(home, { recursive: true });
      return answer;
    };
    const title = `${stage}: ${words.join(" ").replace(`${scratchDir}${path.sep}`, "")}`;
    try {
      const older = answerOf(before);
      const answer = answerOf(after);
      const difference = findDifference(older, answer);
      onCompared(title, difference && findDifference(inNewHome(), answer) && difference);
    } catch (error) {
      onCompared(title, (error as Error).message);
    }
  }
}
