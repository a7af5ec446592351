import type { Repair } from "../../../health/health-check.ts";
import type { DoneRepairs } from "../../../health/repair/do-repairs.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";
import { displayPath } from "../render/display-path.ts";
import { plural } from "../../../lib/quantities.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { withProgress } from "../progress.ts";

/** Shows what would be done and asks; off a terminal it must have been agreed to beforehand. */
export async function agreeToRepairs(
  context: CommandContext,
  repairs: readonly Repair[],
  { isAgreed }: { isAgreed: boolean },
): Promise<void> {
  const { environment, isJson } = context;
  if (!isJson) await writePlan(context, repairs);
  if (isAgreed) return;
  if (environment.isAnswering && !isJson) {
    if (await confirm(`Repair ${plural(repairs.length, "place")}? A backup is kept.`)) return;
    throw cliError("declined", "Nothing repaired.");
  }
  throw cliError("needs_confirmation", "Nothing repaired: add --yes, or run it on a terminal", {
    fields: { repairs: repairs.map(({ path, text }) => ({ path, text })) },
  });
}

const PLAN_SHOWN_MAX = 20;

async function writePlan(
  { environment, writeLines, say }: CommandContext,
  repairs: readonly Repair[],
): Promise<void> {
  const { stdout, userHome } = environment;
  const columns: TableColumn<Repair>[] = [
    { title: "WHAT", value: ({ text }) => terminalLine(text), widthMin: 20 },
    { title: "WHERE", value: ({ path }) => displayPath(path, userHome), isPath: true, widthMin: 20 },
  ];
  await writeLines(["", ...renderTable(repairs.slice(0, PLAN_SHOWN_MAX), columns, stdout)]);
  if (repairs.length > PLAN_SHOWN_MAX) say(`And ${repairs.length - PLAN_SHOWN_MAX} more; --json lists them.`);
}

/** Does them, and says what could not be done, and where what was replaced is kept. */
export async function doRepairs(context: CommandContext, repairs: readonly Repair[]): Promise<DoneRepairs> {
  const { say, environment } = context;
  const { health } = await context.runtime();
  const work = health.repair(repairs);
  const done = await withProgress(context, `Repairing ${plural(repairs.length, "place")}`, work);
  for (const { error } of done.failed) say(`holdfast: ${terminalLine(error)}`);
  if (done.backup !== null)
    say(`Replaced files are kept in ${displayPath(done.backup, environment.userHome)}`);
  return done;
}
