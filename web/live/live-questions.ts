import { signal } from "@preact/signals";
import { ask } from "../api/ask.ts";
import type { Answer } from "../api/route-shapes.ts";
import { onEvent } from "./event-bus.ts";

export type Question = Answer<"GET /api/questions">["questions"][number];
export type Answered = Answer<"POST /api/tasks/{id}/answer">;

/** What agents ask now, the one that has waited longest first. One that was answered elsewhere stays until it is put away. */
export const questions = signal<Question[]>([]);
/** By request: null is void, because the agent ended. */
const answers = signal<ReadonlyMap<string, Answered | null>>(new Map());

export function answeredOf(requestId: string): Answered | null | undefined {
  return answers.value.get(requestId);
}

export function noteAnswered(requestId: string, answered: Answered | null): void {
  // The event tells everybody the same; that it was this page is known only from its own answer.
  if (answers.peek().get(requestId)?.isYours) return;
  answers.value = new Map([...[...answers.peek()].slice(-200), [requestId, answered]]);
}

export function dismissQuestion(requestId: string): void {
  questions.value = questions.peek().filter((question) => question.requestId !== requestId);
}

export function startQuestions(): void {
  onEvent("hello", () => void readQuestions());
  onEvent("asked", ({ question }) => {
    if (questions.peek().every(({ requestId }) => requestId !== question.requestId))
      questions.value = [...questions.peek(), question];
  });
  onEvent("answered", ({ requestId, answered }) => noteAnswered(requestId, answered));
  void readQuestions();
}

async function readQuestions(): Promise<void> {
  const told = await ask("GET /api/questions", {}).catch(() => undefined);
  if (told) questions.value = told.questions;
}
