import { answerQuestion } from "../agents/answer-question.ts";
import type { Command } from "../command.ts";
import { taskArgument } from "../tasks/task-argument.ts";

interface DenyOptions {
  reason?: string;
}

export const command: Command<DenyOptions> = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast deny @last", text: "the agent is told no, and goes on without it" },
    { line: "holdfast deny a3f1 --reason 'use the staging database'", text: "and told why" },
    { line: "holdfast ps", text: "shows who asks, and what" },
  ],
  options: [{ flags: "--reason <text>", text: "what the agent is told" }],
  run: (context, { arguments: [id = ""], options: { reason } }) =>
    answerQuestion(context, {
      id,
      answer: { behavior: "deny", message: reason ?? `${context.environment.userName} denied this` },
      said: "Denied",
    }),
};
