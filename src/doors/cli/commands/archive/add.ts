import { sessionsShownMax } from "../../limits.ts";
import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { SkippedSession } from "../../../../store/archive/archive-sessions.ts";
import type { ArchivedSession } from "../../../../store/archive/archived-sessions.ts";
import type { SessionSummary } from "../../../../store/list/list-sessions.ts";
import type { SessionStore } from "../../../../store/session-store.ts";
import { defineCommand, type Command, type CommandContext } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { cliError, usageError } from "../../errors.ts";
import { parseDuration } from "../../../../lib/parse-duration.ts";
import { findNamedSession, sessionArgument } from "../../session-argument.ts";
import { exitCodes } from "../../exit-codes.ts";
import { withProgressBar } from "../../progress-bar.ts";
import { formatAge, formatBytes, formatCount, plural } from "../../../../lib/quantities.ts";
import { sessionColumns } from "../../render/session-columns.ts";
import { renderTable, type TableColumn } from "../../render/table.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      ...sessionArgument,
      text: "sessions to archive: ids or unique beginnings",
      isOptional: true,
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast archive 1b3e", text: "this session, with its agents, to-dos and file history" },
    { line: "holdfast archive --older-than 60d", text: "every session that was not used for two months" },
    { line: "holdfast archive --all --dry-run", text: "only say what would be archived" },
  ],
  options: [
    {
      flags: "--older-than <time>",
      text: "every session that was not used for this long",
      parse: parseDuration,
    },
    { flags: "--all", text: "every session that nobody has open", conflicts: ["olderThan"] },
    { flags: "--dry-run", text: "only say what would be archived" },
    { flags: "-y, --yes", text: "do not ask on a terminal" },
  ],
  run(context, { arguments: ids, options }) {
    const isBulk = options.all === true || options.olderThan !== undefined;
    if (ids.length === 0 && !isBulk)
      throw usageError(
        "archive add",
        "Nothing archived: name sessions, or choose them with --older-than or --all",
      );
    if (ids.length > 0 && isBulk)
      throw usageError(
        "archive add",
        "Nothing archived: name sessions or choose them with an option, not both",
      );
    return addSessions(context, { ids, ...options });
  },
});

interface ChosenSessions {
  ids: readonly string[];
  olderThan?: number;
  dryRun?: boolean;
  yes?: boolean;
}

/** Archives the sessions that were named or chosen. Those that somebody has open stay where they are. */
async function addSessions(context: CommandContext, options: ChosenSessions): Promise<number | void> {
  const { sessions: store } = await context.runtime();
  const chosen = await choose(context, store, options);
  if (options.dryRun || (await mustAsk(context, chosen, options))) {
    if (context.isJson) return context.writeJson({ dryRun: true, sessions: chosen.map(plannedJson) });
    if (chosen.length > 0) await writeTable(context, chosen);
    const bytes = formatBytes(totalBytes(chosen));
    if (options.dryRun || chosen.length === 0)
      return context.say(
        chosen.length === 0
          ? "Nothing to archive."
          : `Would archive ${plural(chosen.length, "session")} (${bytes}).`,
      );
    if (!(await confirm(`Archive ${plural(chosen.length, "session")} (${bytes})?`)))
      throw cliError("declined", "Nothing archived.");
  }
  const { archived, skipped } = await withProgressBar(context, "Archiving", (onProgress) =>
    store.archive({ sessions: chosen, onProgress }),
  );
  if (options.ids.length > 0 && archived.length === 0) throw skipped[0]!.error;
  if (context.isJson) await context.writeJson({ dryRun: false, archived, skipped: skipped.map(skippedJson) });
  else sayResult(context, archived, skipped);
  const isDone = skipped.length === 0 || (options.ids.length === 0 && archived.length > 0);
  return isDone ? exitCodes.ok : exitCodes.conflict;
}

async function choose(
  context: CommandContext,
  store: SessionStore,
  { ids, olderThan = 0 }: ChosenSessions,
): Promise<readonly SessionSummary[]> {
  if (ids.length === 0) return (await store.archive({ olderThanMs: olderThan, dryRun: true })).chosen;
  const named = await Promise.all(ids.map(async (id) => store.summary(await findNamedSession(context, id))));
  for (const { archived, sessionId } of named)
    if (archived)
      throw cliError("usage", `Cannot archive session "${sessionId}": it is already in the archive`);
  return named;
}

// One session that was named needs no question: it can be put back. Many may be more than somebody meant.
async function mustAsk(
  { environment, isJson }: CommandContext,
  chosen: readonly SessionSummary[],
  { ids, yes }: ChosenSessions,
): Promise<boolean> {
  return chosen.length === 0 || (ids.length === 0 && environment.isAnswering && !yes && !isJson);
}

function totalBytes(sessions: readonly { bytes: number }[]): number {
  return sessions.reduce((sum, { bytes }) => sum + bytes, 0);
}

function plannedJson({
  sessionId,
  project,
  path,
  title,
  updatedAt,
  bytes,
}: SessionSummary): Record<string, unknown> {
  return { sessionId, project, path, title: title ?? null, updatedAt, bytes };
}

function skippedJson({ session, error }: SkippedSession): Record<string, unknown> {
  return { sessionId: session.sessionId, reason: error.message };
}

function sayResult(
  { say }: CommandContext,
  archived: readonly ArchivedSession[],
  skipped: readonly SkippedSession[],
): void {
  for (const { error } of skipped) say(`holdfast: ${terminalLine(error.message)}`);
  const stored = archived.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  if (archived.length === 0) return say("Nothing archived.");
  const [only] = archived;
  const undo =
    archived.length === 1 ? ` Undo: holdfast archive restore ${terminalLine(only!.sessionId)}` : "";
  say(
    `Archived ${plural(archived.length, "session")}: ${formatBytes(totalBytes(archived))} in ${formatBytes(stored)}.${undo}`,
  );
}

async function writeTable(
  { environment, writeLines, say }: CommandContext,
  sessions: readonly SessionSummary[],
): Promise<void> {
  const { stdout } = environment;
  const now = new Date();
  const { id, size, title } = sessionColumns(sessions, environment.userHome);
  const columns: TableColumn<SessionSummary>[] = [
    id,
    { title: "AGE", value: ({ updatedAt }) => formatAge(updatedAt, now), isRight: true },
    size,
    title,
  ];
  // A window holds some dozens of lines; a pipe takes them all.
  const shown = stdout.isTerminal ? sessions.slice(0, sessionsShownMax) : sessions;
  await writeLines(renderTable(shown, columns, stdout));
  if (shown.length < sessions.length) say(`And ${formatCount(sessions.length - shown.length)} more.`);
}
