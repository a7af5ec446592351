import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Pruned } from "../../../runtime/pruning.ts";
import type { PrunedTask, PruneProgress } from "../../../tasks/prune/prune-tasks.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";
import { parseDuration } from "../../../lib/parse-duration.ts";
import { parseSize } from "../../../lib/parse-size.ts";
import { withProgressBar } from "../progress-bar.ts";
import { formatAge, formatBytes, plural } from "../../../lib/quantities.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

export const command: Command = defineCommand({
  examples: [
    {
      line: "holdfast prune --dry-run",
      text: "ended tasks, trash and backups that are over 30 days old, or too large together",
    },
    { line: "holdfast prune --older-than 7d", text: "ended tasks over a week old" },
    { line: "holdfast prune --max-total 5g", text: "the oldest, until the rest fits" },
  ],
  options: [
    {
      flags: "--older-than <time>",
      text: "what ended, or was kept, longer ago than this (the setting prune.olderThan, or 30d)",
      parse: parseDuration,
    },
    {
      flags: "--max-total <size>",
      text: "the most that all outputs may take together (the setting prune.maxTotal, or 64g)",
      parse: parseSize,
    },
    {
      flags: "--max-kept <size>",
      text: "the most that trash, undo copies and backups of repairs may take together (16g)",
      parse: parseSize,
    },
    { flags: "--untold", text: "also ended tasks that nobody was told of" },
    { flags: "--dry-run", text: "only show what would be removed" },
    { flags: "-y, --yes", text: "do not ask on a terminal" },
  ],
  async run(context, { options }) {
    const runtime = await context.runtime();
    const limits = {
      olderThanMs: options.olderThan,
      tasksBytesMax: options.maxTotal,
      keptBytesMax: options.maxKept,
      withUntold: options.untold,
    };
    const { isAnswering } = context.environment;
    // There is no way back, so a person is shown what goes and asked; a program that runs it knows what it does.
    if (options.dryRun || (isAnswering && !options.yes && !context.isJson)) {
      const planned = await runtime.prune({ ...limits, dryRun: true });
      const { tasks, kept } = planned;
      if (context.isJson) return context.writeJson({ dryRun: true, pruned: tasks, kept });
      if (tasks.length > 0) await writeTable(context, tasks);
      if (options.dryRun || tasks.length + kept.length === 0)
        return sayTotal(context, planned, "Would remove");
      if (!(await confirm(`Remove ${countsText(planned)} for good?`)))
        throw cliError("declined", "Nothing removed.");
    }
    const pruned = await withProgressBar(
      context,
      "Removing",
      (onBar) => {
        const onProgress = ({ done, total }: PruneProgress): void =>
          onBar({ doneBytes: done, totalBytes: total });
        return runtime.prune({ ...limits, onProgress });
      },
      (count) => plural(count, "task"),
    );
    if (context.isJson) return context.writeJson({ dryRun: false, pruned: pruned.tasks, kept: pruned.kept });
    sayTotal(context, pruned, "Removed");
  },
});

function sayTotal({ say }: CommandContext, { tasks, kept }: Pruned, verb: string): void {
  const bytes = [...tasks, ...kept].reduce((sum, item) => sum + item.bytes, 0);
  say(
    tasks.length + kept.length === 0
      ? "Nothing to remove."
      : `${verb} ${countsText({ tasks, kept })} (${formatBytes(bytes)}).`,
  );
}

function countsText({ tasks, kept }: Pruned): string {
  const parts = [
    tasks.length > 0 ? plural(tasks.length, "ended task") : "",
    kept.length > 0 ? plural(kept.length, "kept item") : "",
  ];
  return parts.filter(Boolean).join(" and ");
}

async function writeTable(
  { environment, writeLines }: CommandContext,
  tasks: readonly PrunedTask[],
): Promise<void> {
  const now = new Date();
  const columns: TableColumn<PrunedTask>[] = [
    { title: "ID", value: ({ id }) => id, paint: "cyan" },
    { title: "ENDED", value: ({ endedAt }) => formatAge(endedAt, now), isRight: true },
    { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true },
    { title: "WHY", value: ({ reason }) => reason, dropOrder: 1 },
    { title: "TASK", value: ({ description }) => terminalLine(description), widthMin: 16 },
  ];
  await writeLines(renderTable(tasks, columns, environment.stdout));
}
