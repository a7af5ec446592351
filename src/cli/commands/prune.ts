import type { Command } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { parseDuration, parseSize } from "../option-values.ts";
import { formatBytes, plural } from "../render/quantities.ts";

interface PruneOptions {
  olderThan?: number;
  maxTotal?: number;
  dryRun?: boolean;
}

export const prune: Command<PruneOptions> = {
  arguments: [],
  examples: [
    {
      line: "holdfast prune --dry-run",
      text: "what would go: ended tasks over 30 days old, or too large together",
    },
    { line: "holdfast prune --older-than 7d", text: "ended tasks over a week old" },
    { line: "holdfast prune --max-total 5g", text: "the oldest, until the rest fits" },
  ],
  options: [
    { flags: "--older-than <time>", text: "ended longer ago than this (30d)", parse: parseDuration },
    { flags: "--max-total <size>", text: "what all outputs may take together", parse: parseSize },
    { flags: "--dry-run", text: "only say what would go" },
  ],
  async run(context, { options }) {
    const tasks = await context.openTasks();
    const pruned = await tasks.prune({
      olderThanMs: options.olderThan,
      totalBytesMax: options.maxTotal,
      dryRun: options.dryRun,
    });
    if (options.json) return writeJsonObject(context.output, { dryRun: options.dryRun ?? false, pruned });
    const bytes = pruned.reduce((sum, task) => sum + task.bytes, 0);
    context.say(
      `${options.dryRun ? "Would remove" : "Removed"} ${plural(pruned.length, "ended task")} (${formatBytes(bytes)}).`,
    );
  },
};
