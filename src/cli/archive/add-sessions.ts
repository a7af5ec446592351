import { sessionsShownMax } from "../../format/limits.ts";
import { codeOf } from "../../lib/errors.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { ArchivedSession } from "../../store/archive/archived-sessions.ts";
import type { SessionRef } from "../../store/find-session.ts";
import type { SessionSummary } from "../../store/list-sessions.ts";
import { isPacked } from "../../store/archive/read-packed.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { cliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeJsonObject } from "../json-output.ts";
import { withProgressBar } from "../progress-bar.ts";
import { formatAge, formatBytes, formatCount, plural } from "../render/quantities.ts";
import { shortIds } from "../render/short-ids.ts";
import { makeStyle } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

export interface AddOptions {
  ids: readonly string[];
  olderThan?: number;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  isJson: boolean;
}

interface Skipped {
  sessionId: string;
  reason: string;
}

/** Archives the sessions that were named or chosen. Of chosen ones, those that somebody has open are passed over. */
export async function addSessions(context: CommandContext, options: AddOptions): Promise<number | void> {
  const store = await context.openSessions();
  const chosen = await choose(store, options);
  if (options.dryRun || (await mustAsk(context, chosen, options))) {
    if (options.isJson)
      return writeJsonObject(context.output, { dryRun: true, sessions: chosen.map(plannedJson) });
    if (chosen.length > 0) await writeTable(context, chosen);
    const bytes = formatBytes(totalBytes(chosen));
    if (options.dryRun || chosen.length === 0)
      return context.say(
        chosen.length === 0
          ? "Nothing to archive."
          : `Would archive ${plural(chosen.length, "session")} (${bytes}).`,
      );
    if (!(await confirm(`Archive ${plural(chosen.length, "session")} (${bytes})?`)))
      throw cliError("needs_confirmation", "Cannot archive: it was not agreed to; nothing was changed");
  }
  const { archived, skipped } = await withProgressBar(context, "Archiving", async (onProgress) =>
    addAll(store, chosen, { isStrict: options.ids.length > 0, onProgress }),
  );
  if (options.isJson) await writeJsonObject(context.output, { dryRun: false, archived, skipped });
  else sayResult(context, archived, skipped);
  return skipped.length > 0 && archived.length === 0 ? exitCodes.conflict : exitCodes.ok;
}

async function choose(store: SessionStore, { ids, olderThan = 0 }: AddOptions): Promise<SessionSummary[]> {
  if (ids.length === 0) {
    const before = new Date(Date.now() - olderThan).toISOString();
    const found = await store.list({ counts: false });
    return found.filter(({ archived, updatedAt }) => !archived && updatedAt <= before).reverse();
  }
  const named = await Promise.all(ids.map((id) => store.find(id)));
  for (const { path, sessionId } of named)
    if (isPacked(path))
      throw cliError("usage", `Cannot archive session "${sessionId}": it is in the archive already`);
  return Promise.all(named.map((session) => store.summary(session)));
}

// One session that was named needs no question: it can be put back. Many may be more than somebody meant.
async function mustAsk(
  { environment }: CommandContext,
  chosen: readonly SessionSummary[],
  { ids, yes, isJson }: AddOptions,
): Promise<boolean> {
  return chosen.length === 0 || (ids.length === 0 && environment.isAnswering && !yes && !isJson);
}

async function addAll(
  store: SessionStore,
  chosen: readonly SessionSummary[],
  {
    isStrict,
    onProgress,
  }: { isStrict: boolean; onProgress: (done: { doneBytes: number; totalBytes: number }) => void },
): Promise<{ archived: ArchivedSession[]; skipped: Skipped[] }> {
  const archive = await store.openArchive();
  const result: { archived: ArchivedSession[]; skipped: Skipped[] } = { archived: [], skipped: [] };
  let doneBytes = 0;
  try {
    for (const summary of chosen) {
      try {
        result.archived.push(await archive.add(refOf(summary)));
      } catch (error) {
        if (
          isStrict ||
          !["session_in_use", "conflict", "session_not_found", "unsafe_path"].includes(codeOf(error) ?? "")
        )
          throw error;
        result.skipped.push({ sessionId: summary.sessionId, reason: (error as Error).message });
      }
      doneBytes += summary.bytes;
      onProgress({ doneBytes, totalBytes: totalBytes(chosen) });
    }
  } finally {
    archive.close();
  }
  return result;
}

function refOf({ sessionId, project, path }: SessionSummary): SessionRef {
  return { sessionId, projectKey: project, path };
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

function sayResult(
  { say }: CommandContext,
  archived: readonly ArchivedSession[],
  skipped: readonly Skipped[],
): void {
  for (const { reason } of skipped) say(`holdfast: ${terminalLine(reason)}`);
  const stored = archived.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  if (archived.length === 0) return say("Nothing was archived.");
  const [only] = archived;
  const undo =
    archived.length === 1 ? ` Undo: holdfast archive restore ${terminalLine(only!.sessionId)}` : "";
  say(
    `Archived ${plural(archived.length, "session")}: ${formatBytes(totalBytes(archived))} in ${formatBytes(stored)}.${undo}`,
  );
}

async function writeTable(
  { environment, output, say }: CommandContext,
  sessions: readonly SessionSummary[],
): Promise<void> {
  const { stdout } = environment;
  const now = new Date();
  const ids = shortIds(sessions.map(({ sessionId }) => sessionId));
  const columns: TableColumn<SessionSummary>[] = [
    {
      title: "ID",
      value: ({ sessionId }) => terminalLine(ids.get(sessionId) ?? sessionId),
      paint: (text, style) => style.cyan(text),
    },
    { title: "AGE", value: ({ updatedAt }) => formatAge(updatedAt, now), isRight: true },
    { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true },
    {
      title: "TITLE",
      value: ({ title, firstPrompt }) => terminalLine(title ?? firstPrompt ?? ""),
      widthMin: 16,
    },
  ];
  // A window holds some dozens of lines; a pipe takes them all.
  const shown = stdout.isTerminal ? sessions.slice(0, sessionsShownMax) : sessions;
  for (const line of renderTable(shown, columns, { columns: stdout.columns, style: makeStyle(stdout) }))
    await output.write(`${line}\n`);
  await output.flush();
  if (shown.length < sessions.length) say(`And ${formatCount(sessions.length - shown.length)} more.`);
}
