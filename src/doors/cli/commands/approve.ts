import { answerQuestion } from "../agents/answer-question.ts";
import type { Command } from "../command.ts";
import { taskArgument } from "../tasks/task-argument.ts";

interface ApproveOptions {
  always?: boolean;
}

export const command: Command<ApproveOptions> = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast approve @last", text: "let the newest task's agent do what it asks for" },
    { line: "holdfast approve a3f1 --always", text: "and never ask again about this tool" },
    { line: "holdfast ps", text: "shows who asks, and what" },
  ],
  options: [{ flags: "--always", text: "for this agent, allow this tool from now on" }],
  run: (context, { arguments: [id = ""], options: { always = false } }) =>
    answerQuestion(context, {
      id,
      answer: { behavior: "allow", ...(always && { always }) },
      said: always ? "Allowed from now on" : "Allowed",
    }),
};
