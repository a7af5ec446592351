import type { RunnerEnd } from "../../tasks/ports.ts";
import type { EndedQuery } from "./run-in-front.ts";

const endReasons: Readonly<Record<RunnerEnd["reason"], string | undefined>> = {
  done: undefined,
  max_turns: "The agent took as many turns as it may",
  max_tokens: "The answer was cut off at the model's limit",
  refusal: "The model refused",
};

/** What is said of a query that ended otherwise than with an answer; of an interruption the transcript tells. */
export function endNotice(end: EndedQuery): { text: string; isError: boolean } | undefined {
  if (end.kind === "failed") return { text: end.message, isError: true };
  const text = end.kind === "done" ? endReasons[end.reason] : undefined;
  return text === undefined ? undefined : { text, isError: true };
}
