import { usageRowsShownMax } from "../usage/limits.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { usageRowKinds, usageView } from "../../../runtime/views/usage-view.ts";
import type { UsageGrouping } from "../../../usage/usage-grouping.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { parseSince, parseUntil } from "../option-values.ts";
import { withProgressBar } from "../progress-bar.ts";
import { formatCount, plural } from "../../../lib/quantities.ts";
import { displayPath } from "../render/display-path.ts";
import { projectInScope, sayElsewhere, scopeOptions } from "../session-scope.ts";
import { usageCsv } from "../usage/usage-csv.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast usage", text: "tokens and cost of this project, day by day" },
    {
      line: "holdfast usage --all --by session --since 7d",
      text: "the most expensive sessions of the last week on this machine",
    },
    { line: "holdfast usage --by model --csv > usage.csv", text: "for a spreadsheet" },
  ],
  options: [
    { flags: "-b, --by <what>", text: "what a row is; day by default", choices: usageRowKinds },
    {
      flags: "--since <when>",
      text: "from this UTC day, moment or age on (2026-11-30, 7d)",
      parse: utcDay(parseSince, "T00:00:00.000Z"),
    },
    {
      flags: "--until <when>",
      text: "up to and including this UTC day, moment or age",
      parse: utcDay(parseUntil, "T23:59:59.999Z"),
    },
    ...scopeOptions,
    { flags: "--csv", text: "comma-separated values, every number in full", conflicts: ["json"] },
  ],
  async run(context, { options }) {
    const { environment, output, say } = context;
    const { by = "day", since, until } = options;
    const runtime = await context.runtime();
    const project = await projectInScope(context, options);
    const report = await withProgressBar(context, "Counting", (onProgress) =>
      runtime.usage({ by, since, until, project, onProgress }),
    );
    const { rows, totals } = report;
    if (context.isJson) return context.writeJson({ ...usageView(by, report) });
    if (options.csv) return output.write(usageCsv(by, report));
    if (rows.length === 0) {
      const isNarrowed = since !== undefined || until !== undefined;
      const where = displayPath(project ?? environment.configDir, environment.userHome);
      say(
        isNarrowed
          ? "No usage in this time."
          : `No usage: no session ${project === undefined ? "below" : "of"} ${where} has an answer yet.`,
      );
      return sayElsewhere(context, project, { isNamed: true });
    }
    // The most expensive rows come first. Days are in order, and the last ones matter.
    const isCut = environment.stdout.isTerminal && rows.length > usageRowsShownMax;
    const shown = isCut
      ? by === "day"
        ? rows.slice(-usageRowsShownMax)
        : rows.slice(0, usageRowsShownMax)
      : rows;
    // A table takes more code than the rest together.
    const { usageTable } = await import("../usage/usage-table.ts");
    const names = await nameRows(context, by);
    await context.writeLines(usageTable({ by, rows: shown, totals, names, environment }));
    if (isCut) say(`Showing ${shown.length} of ${rows.length} rows; --csv and --json have all.`);
    if (totals.placeholderMessages > 0)
      say(
        `~ The true output is higher: for ${plural(totals.placeholderMessages, "message")} the client wrote only a placeholder.`,
      );
    if (totals.unpricedMessages > 0)
      say(
        `${unpricedText(totals.unpricedMessages)} not in the cost. Set one: "prices" in ${displayPath(environment.settingsFile, environment.userHome)}`,
      );
    await sayElsewhere(context, project, { isNamed: true });
  },
});

function unpricedText(messages: number): string {
  return messages === 1
    ? "1 message of a model without a known price is"
    : `${formatCount(messages)} messages of models without a known price are`;
}

// Rows are UTC days, so days that are typed are, too.
function utcDay(parse: (text: string) => Date, time: string): (text: string) => Date {
  return (text) => {
    const moment = parse(text);
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}${time}`) : moment;
  };
}

/** What people call a row: a session's title, a project's folder, a task's description. */
async function nameRows(context: CommandContext, by: UsageGrouping): Promise<ReadonlyMap<string, string>> {
  const { agents, sessions } = await context.runtime();
  if (by === "task")
    return new Map((await agents.list()).map(({ record }) => [record.id, terminalLine(record.description)]));
  const names = new Map<string, string>();
  if (by !== "session" && by !== "project") return names;
  for (const { sessionId, project, cwd, title, firstPrompt } of await sessions.list({ counts: false })) {
    if (by === "session") names.set(sessionId, terminalLine(title ?? firstPrompt ?? ""));
    else if (cwd !== undefined && !names.has(project))
      names.set(project, terminalLine(displayPath(cwd, context.environment.userHome)));
  }
  return names;
}
