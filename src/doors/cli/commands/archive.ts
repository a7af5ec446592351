import type { Command, CommandContext } from "../command.ts";
import { addSessions } from "../archive/add-sessions.ts";
import { keep } from "../archive/keep.ts";
import { listArchive } from "../archive/list-archive.ts";
import { usageError } from "../errors.ts";
import { parseDuration } from "../option-values.ts";
import { withProgressBar } from "../progress-bar.ts";
import { displayPath } from "../render/display-path.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";

interface ArchiveOptions {
  olderThan?: number;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export const command: Command<ArchiveOptions> = {
  arguments: [
    {
      name: "what",
      text: "sessions to archive; or: list, restore <id...>, keep [on|off]",
      isOptional: true,
      isVariadic: true,
    },
  ],
  examples: [
    {
      line: "holdfast archive --older-than 60d",
      text: "pack what was not used for two months; it stays readable",
    },
    {
      line: "holdfast archive restore 1b3e",
      text: "put a session back, byte for byte; list shows what there is",
    },
    { line: "holdfast archive keep on", text: "copy sessions here before the client deletes them" },
  ],
  options: [
    {
      flags: "--older-than <time>",
      text: "every session that was last used longer ago",
      parse: parseDuration,
    },
    { flags: "--all", text: "every session that nobody has open", conflicts: ["olderThan"] },
    { flags: "--dry-run", text: "only say what would be archived" },
    { flags: "-y, --yes", text: "do not ask on a terminal" },
  ],
  async run(context, { arguments: words, options }) {
    const [verb = "", ...rest] = words;
    const isBulk = options.all === true || options.olderThan !== undefined;
    const refuse = (message: string): Error => usageError("archive", message);
    if (["list", "restore", "keep"].includes(verb) && (isBulk || options.dryRun))
      throw refuse(`Cannot ${verb} with --all, --older-than or --dry-run: they choose what is archived`);
    switch (verb) {
      case "list":
        return listArchive(context);
      case "restore":
        if (rest.length === 0) throw refuse("Missing required argument 'id'");
        return restore(context, rest);
      case "keep":
        if (rest.length > 1 || !["on", "off", undefined].includes(rest[0]))
          throw refuse("Cannot set keep: it is on or off; without either the guard runs once");
        return keep(context, rest[0] as "on" | "off" | undefined);
      default:
        if (words.length === 0 && !isBulk)
          throw refuse("Cannot archive: name sessions, or choose with --older-than or --all");
        if (words.length > 0 && isBulk)
          throw refuse("Cannot archive: name sessions, or choose with an option, not both");
        return addSessions(context, { ids: words, ...options });
    }
  },
};

async function restore(context: CommandContext, ids: readonly string[]): Promise<void> {
  const { sessions: store } = await context.runtime();
  const opened = await store.openArchive();
  const restored: Record<string, unknown>[] = [];
  try {
    for (const id of ids) {
      const {
        sessionId,
        projectKey: project,
        path,
      } = await withProgressBar(context, "Restoring", async (onProgress) =>
        opened.restore(id, { onProgress }),
      );
      restored.push({ sessionId, project, path });
      if (!context.isJson)
        context.say(
          `Restored session ${terminalLine(sessionId)} to ${displayPath(path, context.environment.userHome)}`,
        );
    }
  } finally {
    opened.close();
  }
  if (context.isJson) await context.writeJson({ restored });
}
