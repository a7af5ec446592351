import { answerOptions, answerQuestion } from "../agents/answer-question.ts";
import { defineCommand, type Command } from "../command.ts";
import { runningTaskArgument } from "../tasks/task-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...runningTaskArgument, pick: "asking-task" }],
  examples: [
    { line: "holdfast approve @last", text: "shows what the newest task's agent asks for, then asks you" },
    { line: "holdfast approve a3f1 --always", text: "and never ask again about this tool" },
    {
      line: "holdfast approve a3f1 --request 5f2c91aa",
      text: "in a script: inspect shows the question and its id",
    },
  ],
  options: [{ flags: "--always", text: "for this agent, allow this tool from now on" }, ...answerOptions],
  run: (context, { arguments: [id = ""], options: { always = false, ...which } }) =>
    answerQuestion(context, {
      ...which,
      id,
      ask: "Allow this?",
      answer: { behavior: "allow", ...(always && { always }) },
      typed: { verb: "approve", options: always ? { always } : {} },
      said: always ? "Allowed from now on" : "Allowed",
    }),
});
