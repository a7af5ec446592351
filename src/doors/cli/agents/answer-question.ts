import { terminalLine } from "../../../lib/terminal-text.ts";
import type { PermissionAnswer } from "../../../tasks/ports.ts";
import type { CommandContext, CommandOption } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";

/** Which question is answered, and whether it is shown first. */
export interface AnswerOptions {
  request?: string;
  yes?: boolean;
}

export const answerOptions: readonly CommandOption[] = [
  { flags: "--request <id>", text: "answer this question and no other; inspect shows its id" },
  { flags: "-y, --yes", text: "do not ask on a terminal" },
];

export interface QuestionAnswer extends AnswerOptions {
  id: string;
  answer: PermissionAnswer;
  said: string;
  /** What a person at a terminal is asked. */
  ask: string;
}

/**
 * Gives an agent the answer that it waits for, and says what was answered. At a terminal the question is shown first; the
 * answer is to what was shown, whatever the agent asks by then.
 */
export async function answerQuestion(
  context: CommandContext,
  { id, answer, said, ask, request, yes = false }: QuestionAnswer,
): Promise<void> {
  const { tasks, agents } = await context.runtime();
  const task = await tasks.find(id);
  const { environment } = context;
  const asked = (await agents.progress(task))?.needsInput;
  const requestId = request ?? asked?.requestId ?? "";
  if (asked?.requestId === requestId && environment.isAnswering && !context.isJson && !yes) {
    const { questionText } = await import("../render/question-text.ts");
    context.say(`${terminalLine(asked.title)} (${terminalLine(asked.tool)}, question ${requestId})`);
    for (const line of questionText(asked, environment.stderr.style)) context.say(`  ${line}`);
    if (!(await confirm(ask))) throw cliError("needs_confirmation", "Nothing answered: the agent waits on");
  }
  const by = `cli:${environment.userName}`;
  const { tool, title } = await agents.answer(task, { requestId, answer, by });
  if (context.isJson)
    return context.writeJson({ id: task.record.id, requestId, answer: answer.behavior, tool, title });
  context.say(`${said}: ${terminalLine(title)}`);
}
