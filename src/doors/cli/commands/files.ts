import type { FileHistory } from "../../../store/companions/file-history.ts";
import type { SessionRef } from "../../../store/list/find-session.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { fileTable } from "../files/file-table.ts";
import { undo } from "../files/undo.ts";
import { writeDiffs } from "../files/write-diffs.ts";
import { sayProblems } from "../say-problems.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...sessionArgument, pick: "session" }],
  examples: [
    { line: "holdfast files @last", text: "the files it changed, with the snapshots before each change" },
    { line: "holdfast files 1b3e --diff", text: "what has changed since it began" },
    {
      line: "holdfast files 1b3e --undo --at 6f0c --dry-run",
      text: "what going back to a snapshot would do",
    },
  ],
  options: [
    allOption,
    { flags: "--diff", text: "compare a snapshot with the files as they are now", conflicts: ["undo"] },
    { flags: "--undo", text: "put the files back; what is overwritten is kept" },
    {
      flags: "--at <uuid>",
      text: "the snapshot before this message, by its id or a unique beginning; by default the first",
      kind: "message",
    },
    { flags: "--dry-run", text: "with --undo: only say what would be done" },
    { flags: "-y, --yes", text: "with --undo: do not ask" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { sessions } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    if (options.undo)
      return undo(context, {
        session,
        snapshot: options.at,
        isDryRun: options.dryRun === true,
        isAgreed: options.yes === true,
      });
    const history = await sessions.files(session);
    if (!options.diff) return list(context, session, history);
    return diff(context, session, options.at ?? history.snapshots[0]?.messageId);
  },
});

async function list(context: CommandContext, { sessionId }: SessionRef, history: FileHistory): Promise<void> {
  const { cwd = null, snapshots, problems } = history;
  if (context.isJson) return context.writeJson({ sessionId, cwd, snapshots, problems });
  const lines = fileTable(history, context.environment.stdout);
  if (lines.length === 0) context.say(`Session ${terminalLine(sessionId)} changed no files that it tracked.`);
  await context.writeLines(lines);
  sayProblems(context, problems);
}

async function diff(
  context: CommandContext,
  session: SessionRef,
  snapshot: string | undefined,
): Promise<ExitCode> {
  const { sessions } = await context.runtime();
  const diffs = await sessions.diffFiles(session, { from: snapshot });
  if (context.isJson) await context.writeJson({ sessionId: session.sessionId, snapshot, diffs });
  else await writeDiffs(context, diffs);
  return diffs.some(({ kind }) => kind === "unknown") ? exitCodes.failed : exitCodes.ok;
}
