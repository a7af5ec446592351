import fs from "node:fs";
import type { Repair } from "../../../health/health-check.ts";
import { openBackup } from "../../../health/repair/open-backup.ts";
import { systemClock } from "../../../lib/clock.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";
import { displayPath } from "../render/display-path.ts";
import { plural } from "../../../lib/quantities.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { withProgress } from "../progress.ts";

export interface DoneRepairs {
  repaired: { path: string; text: string }[];
  failed: { path: string; text: string; error: string }[];
  /** Where what was replaced is kept; null when nothing was. */
  backup: string | null;
}

/** Shows what would be done and asks; off a terminal it must have been agreed to beforehand. */
export async function agreeToRepairs(
  context: CommandContext,
  repairs: readonly Repair[],
  { isAgreed }: { isAgreed: boolean },
): Promise<void> {
  const { environment, isJson } = context;
  if (!isJson) await writePlan(context, repairs);
  if (isAgreed) return;
  const isYes =
    environment.isAnswering &&
    !isJson &&
    (await confirm(`Repair ${plural(repairs.length, "place")}? A backup is kept.`));
  if (isYes) return;
  throw cliError("needs_confirmation", "Cannot repair: it was not agreed to; nothing was changed", {
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

/** Does them one by one; one that fails, such as of a session that was opened meanwhile, stops no other. */
export async function doRepairs(context: CommandContext, repairs: readonly Repair[]): Promise<DoneRepairs> {
  const { say, environment } = context;
  const backup = openBackup({ home: environment.home, clock: systemClock });
  const done: DoneRepairs = { repaired: [], failed: [], backup: null };
  for (const { path, text, run } of repairs) {
    try {
      await withProgress(
        context,
        `Repairing ${displayPath(path, environment.userHome)}`,
        Promise.resolve(run(backup)),
      );
      done.repaired.push({ path, text });
    } catch (error) {
      const message = (error as Error).message;
      done.failed.push({ path, text, error: message });
      say(`holdfast: ${terminalLine(message)}`);
    }
  }
  if (fs.existsSync(backup.dir)) {
    done.backup = backup.dir;
    say(`What was replaced is kept in ${displayPath(backup.dir, environment.userHome)}`);
  }
  return done;
}
