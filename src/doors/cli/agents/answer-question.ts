import type { Suggestion } from "../../../lib/suggestion.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { NeededInput } from "../../../tasks/kinds/agent/agent-progress.ts";
import type { PermissionAnswer } from "../../../tasks/ports.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";

export const answerOptions = [
  {
    flags: "--request <id>",
    text: "answer this question and no other; required where it is not shown first; inspect shows its id",
    kind: "question",
  },
  { flags: "-y, --yes", text: "with --request: do not ask on a terminal" },
] as const;

export interface QuestionAnswer {
  id: string;
  /** Which question is answered. */
  request?: string;
  /** Nobody is to be asked. */
  yes?: boolean;
  answer: PermissionAnswer;
  said: string;
  /** What a person at a terminal is asked. */
  ask: string;
  /** This command as it was typed, for who has to name the question. */
  typed: { verb: string; options: Readonly<Record<string, string | true>> };
}

/**
 * Gives an agent the answer that it waits for, and says what was answered. The answer is to the question that is named, or
 * that was shown at a terminal, whatever the agent asks by then. Who was shown none has to name it.
 */
export async function answerQuestion(
  context: CommandContext,
  { id, answer, said, ask, typed, request, yes = false }: QuestionAnswer,
): Promise<void> {
  const { tasks, agents } = await context.runtime();
  const task = await tasks.find(id);
  const { environment } = context;
  const asked = (await agents.progress(task))?.needsInput;
  const requestId = request ?? asked?.requestId ?? "";
  const canAsk = environment.isAnswering && !context.isJson && !yes;
  if (asked?.requestId === requestId && (canAsk || request === undefined)) {
    if (!context.isJson) await showQuestion(context, asked);
    if (!canAsk) throw unnamedQuestion(id, asked, typed);
    if (!(await confirm(ask))) throw cliError("declined", "Nothing answered; the agent still waits.");
  }
  const by = `cli:${environment.userName}`;
  const { tool, title } = await agents.answer(task, { requestId, answer, by });
  if (context.isJson)
    return context.writeJson({ id: task.record.id, requestId, answer: answer.behavior, tool, title });
  context.say(`${said}: ${terminalLine(title)}`);
}

async function showQuestion({ say, environment }: CommandContext, asked: NeededInput): Promise<void> {
  const { questionText } = await import("../render/question-text.ts");
  say(`${terminalLine(asked.title)} (${terminalLine(asked.tool)}, question ${asked.requestId})`);
  for (const line of questionText(asked, environment.stderr.style)) say(`  ${line}`);
}

function unnamedQuestion(id: string, asked: NeededInput, { verb, options }: QuestionAnswer["typed"]): Error {
  const suggestion: Suggestion = { verb, args: [id], options: { ...options, request: asked.requestId } };
  return cliError("usage", `Cannot answer task "${id}": name the question with --request`, {
    fields: { needsInput: asked, suggestion },
  });
}
