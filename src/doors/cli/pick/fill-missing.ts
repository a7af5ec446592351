import type { CommandCall, CommandContext, PickedKind } from "../command.ts";
import type { MissingValue } from "../parse-command-line.ts";
import { choicesOf } from "./choices.ts";
import { pick } from "./pick.ts";

const titles: Readonly<Record<PickedKind, string>> = {
  session: "Which session?",
  "own-session": "Which conversation of this folder?",
  task: "Which task?",
  "running-task": "Which running task?",
  "asking-task": "Whose question?",
  "remote-task": "Which remote task?",
  resumable: "Which agent or conversation?",
};

/** The call with what a person chose for what it lacks; undefined when nothing was chosen. Throws `usage` where there is nothing. */
export async function fillMissing(
  context: CommandContext,
  call: CommandCall<object>,
  { pick: kind, option, error }: MissingValue,
): Promise<CommandCall<object> | undefined> {
  const { environment } = context;
  const choices = await choicesOf(kind, { runtime: await context.runtime(), environment });
  if (choices.length === 0) throw error;
  const choice = await pick({
    title: titles[kind],
    choices,
    style: environment.stderr.style,
    isAsciiOnly: environment.isAsciiOnly,
  });
  if (!choice) return undefined;
  return option === undefined
    ? { ...call, arguments: [choice.id, ...call.arguments] }
    : { ...call, options: { ...call.options, [option]: choice.id } };
}
