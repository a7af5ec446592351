import { taskDescriptionLengthMax } from "./limits.ts";
import { cutText, oneLine } from "./short-text.ts";

export type ShellOutcome =
  | { readonly status: "completed"; readonly exitCode: number }
  | { readonly status: "failed"; readonly exitCode: number }
  | { readonly status: "killed" }
  /** An end that the client has no words for, such as "timed out". */
  | { readonly status: "ended"; readonly how: string };

/** The client's own wording for the end of a shell task, so that a model reads ours the same way. */
export function shellTaskSummary(description: string, outcome: ShellOutcome): string {
  const subject = `Background command "${quotable(description)}"`;
  switch (outcome.status) {
    case "completed":
      return `${subject} completed (exit code ${outcome.exitCode})`;
    case "failed":
      return `${subject} failed with exit code ${outcome.exitCode}`;
    case "killed":
      return `${subject} was stopped`;
    case "ended":
      return `${subject} ${oneLine(outcome.how)}`;
  }
}

export type AgentOutcome =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly reason: string }
  | { readonly status: "killed" };

/** The client's own wording for the end of an agent task. */
export function agentTaskSummary(description: string, outcome: AgentOutcome): string {
  const subject = `Agent "${quotable(description)}"`;
  switch (outcome.status) {
    case "completed":
      return `${subject} completed`;
    case "failed":
      return `${subject} failed: ${oneLine(outcome.reason)}`;
    case "killed":
      return `${subject} was stopped`;
  }
}

/** A description may not close the quotes around it and go on as if it were our verdict. */
function quotable(description: string): string {
  return cutText(oneLine(description), taskDescriptionLengthMax).replaceAll('"', "'");
}
