import { answerOptions, answerQuestion } from "../agents/answer-question.ts";
import { defineCommand, type Command } from "../command.ts";
import { runningTaskArgument } from "../tasks/task-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...runningTaskArgument, pick: "asking-task" }],
  examples: [
    { line: "holdfast deny @last", text: "the agent is refused, and continues without it" },
    { line: "holdfast deny a3f1 --reason 'use the staging database'", text: "with the reason" },
    {
      line: "holdfast deny a3f1 --request 5f2c91aa",
      text: "in a script: inspect shows the question and its id",
    },
  ],
  options: [{ flags: "--reason <text>", text: "the reason that the agent gets" }, ...answerOptions],
  run: (context, { arguments: [id = ""], options: { reason, ...which } }) =>
    answerQuestion(context, {
      ...which,
      id,
      ask: "Deny this?",
      answer: { behavior: "deny", message: reason ?? `${context.environment.userName} denied this` },
      typed: { verb: "deny", options: reason === undefined ? {} : { reason } },
      said: "Denied",
    }),
});
