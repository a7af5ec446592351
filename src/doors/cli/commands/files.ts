import type { FileDiff } from "../../../store/companions/diff-files.ts";
import type { FileHistory, FileHistoryOptions } from "../../../store/companions/file-history.ts";
import { storeError } from "../../../store/errors.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { refuseArchived } from "../../../store/archive/refuse-archived.ts";
import type { Command, CommandContext } from "../command.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { fileTable } from "../files/file-table.ts";
import { undo } from "../files/undo.ts";
import { writeDiffs } from "../files/write-diffs.ts";
import { sayProblems } from "../say-problems.ts";
import { sessionArgument } from "../session-argument.ts";

interface FilesOptions {
  diff?: boolean;
  undo?: boolean;
  at?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export const command: Command<FilesOptions> = {
  arguments: [sessionArgument],
  examples: [
    { line: "holdfast files @last", text: "the files it changed, with the snapshots before each change" },
    { line: "holdfast files 1b3e --diff", text: "what is different now from when it began" },
    {
      line: "holdfast files 1b3e --undo --at 6f0c --dry-run",
      text: "what going back to a snapshot would do",
    },
  ],
  options: [
    { flags: "--diff", text: "compare a snapshot with the files as they are now", conflicts: ["undo"] },
    { flags: "--undo", text: "put the files back; what is overwritten is kept" },
    { flags: "--at <uuid>", text: "the snapshot before this message; by default the first", kind: "message" },
    { flags: "--dry-run", text: "with --undo: only say what would be done" },
    { flags: "-y, --yes", text: "with --undo: do not ask" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { sessions: store } = await context.runtime();
    const session = refuseArchived(await store.find(id));
    const from = { configDir: store.configDir, session };
    const { readFileHistory } = await import("../../../store/companions/file-history.ts");
    const history = await readFileHistory(from);
    if (!options.diff && !options.undo) return list(context, { history, from });
    const snapshot = options.at ?? firstSnapshot(history, session.sessionId);
    if (options.undo)
      return undo(context, {
        from,
        snapshot,
        isDryRun: options.dryRun === true,
        isAgreed: options.yes === true,
      });
    return diff(context, { from, snapshot });
  },
};

function firstSnapshot({ snapshots }: FileHistory, sessionId: string): string {
  const [first] = snapshots;
  if (first) return first.messageId;
  throw storeError(
    "companion_not_found",
    `Cannot compare files of session "${sessionId}": it took no snapshots`,
  );
}

interface ListCall {
  history: FileHistory;
  from: FileHistoryOptions;
}

async function list(context: CommandContext, { history, from }: ListCall): Promise<void> {
  const { sessionId } = from.session;
  if (context.isJson)
    return context.writeJson({
      sessionId,
      cwd: history.cwd ?? null,
      snapshots: history.snapshots,
      problems: history.problems,
    });
  const lines = fileTable(history, context.environment.stdout);
  if (lines.length === 0) context.say(`Session ${terminalLine(sessionId)} changed no files that it tracked.`);
  await context.writeLines(lines);
  sayProblems(context, history.problems);
}

interface DiffCall {
  from: FileHistoryOptions;
  snapshot: string;
}

async function diff(context: CommandContext, { from, snapshot }: DiffCall): Promise<ExitCode> {
  const { diffFiles } = await import("../../../store/companions/diff-files.ts");
  const diffs: FileDiff[] = await diffFiles({ ...from, from: snapshot });
  if (context.isJson) await context.writeJson({ sessionId: from.session.sessionId, snapshot, diffs });
  else await writeDiffs(context, diffs);
  return diffs.some(({ kind }) => kind === "unknown") ? exitCodes.failed : exitCodes.ok;
}
