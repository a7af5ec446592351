import { terminalLine } from "../../../lib/terminal-text.ts";
import type { SessionRef } from "../../../store/list/find-session.ts";
import type { UndoChange, UndoResult } from "../../../store/companions/undo-files.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { displayPath } from "../render/display-path.ts";
import { plural } from "../../../lib/quantities.ts";
import { reasonText } from "../say-problems.ts";

export interface UndoCall {
  session: SessionRef;
  /** The first, unless one is named. */
  snapshot: string | undefined;
  isDryRun: boolean;
  /** Nobody needs to be asked. */
  isAgreed: boolean;
}

/** Puts files back to a snapshot: says what it would do, asks, does it, says where the rest is kept. */
export async function undo(
  context: CommandContext,
  { session, snapshot, isDryRun, isAgreed }: UndoCall,
): Promise<ExitCode> {
  const { sessions } = await context.runtime();
  const plan = await sessions.undoFiles(session, { to: snapshot, dryRun: true });
  const work = plan.changes.filter(isWork);
  if (!isDryRun && work.length > 0 && !isAgreed) await ask(context, work);
  const result = isDryRun || work.length === 0 ? plan : await sessions.undoFiles(session, { to: snapshot });
  if (context.isJson) await context.writeJson({ sessionId: session.sessionId, dryRun: isDryRun, ...result });
  else sayResult(context, result, { isDryRun });
  return result.changes.some(({ kind }) => kind === "refused" || kind === "failed")
    ? exitCodes.failed
    : exitCodes.ok;
}

function isWork({ kind }: UndoChange): boolean {
  return kind === "restore" || kind === "remove";
}

async function ask(context: CommandContext, work: UndoChange[]): Promise<void> {
  if (!context.environment.isAnswering || context.isJson) {
    throw cliError(
      "needs_confirmation",
      `Cannot undo ${plural(work.length, "file")} without asking: add --yes, or --dry-run to see them`,
      {
        fields: { changes: work },
      },
    );
  }
  for (const change of work) context.say(`  ${changeText(change, context, { isDryRun: true })}`);
  if (!(await confirm(`Change ${plural(work.length, "file")}?`)))
    throw cliError("declined", "Nothing changed.");
}

function sayResult(
  context: CommandContext,
  { changes, keptIn }: UndoResult,
  { isDryRun }: { isDryRun: boolean },
): void {
  const told = changes.filter(({ kind }) => kind !== "same");
  for (const change of told) context.say(changeText(change, context, { isDryRun }));
  if (told.length === 0) context.say("Nothing to undo: the files are as they were.");
  if (keptIn !== undefined)
    context.say(`Overwritten files are kept in ${displayPath(keptIn, context.environment.userHome)}`);
}

function changeText(
  change: UndoChange,
  { environment }: CommandContext,
  { isDryRun }: { isDryRun: boolean },
): string {
  const name = displayPath(change.path, environment.userHome);
  switch (change.kind) {
    case "restore":
      return `${isDryRun ? "restore" : "restored"} ${name}`;
    case "remove":
      return `${isDryRun ? "remove" : "removed"} ${name}`;
    case "same":
      return `same ${name}`;
    case "refused":
      return `holdfast: Cannot undo "${name}": ${reasonText(change.reason)}`;
    case "failed":
      return `holdfast: Cannot undo "${name}": ${terminalLine(change.reason)}`;
  }
}
