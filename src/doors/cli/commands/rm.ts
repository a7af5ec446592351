import { terminalLine } from "../../../lib/terminal-text.ts";
import { codeOf, HoldfastError } from "../../../lib/errors.ts";
import type { SessionRef } from "../../../store/list/find-session.ts";
import type { SessionStore } from "../../../store/session-store.ts";
import type { TrashedSession } from "../../../store/change/trash-session.ts";
import { parseTaskId } from "../../../format/ids.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { usageError } from "../errors.ts";
import { displayPath } from "../render/display-path.ts";
import { formatAge, plural } from "../../../lib/quantities.ts";
import { sessionColumns } from "../render/session-columns.ts";
import { allOption, findNamedSession } from "../session-argument.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { resetProject, undoReset } from "../trash/reset-project.ts";
import { trashedJson } from "../trash/trashed-json.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "id",
      text: "a session or a task: its id, a unique prefix, or @last",
      kind: ["session", "task"],
      isOptional: true,
    },
  ],
  examples: [
    { line: "holdfast rm 1b3e", text: "into the trash, with its agents, to-dos and file history" },
    { line: "holdfast rm --project .", text: "every session of this folder; undo: rm --restore --project ." },
    { line: "holdfast rm --restore 1b3e", text: "a session back to where it was; --list shows the trash" },
  ],
  options: [
    allOption,
    {
      flags: "--project <dir>",
      text: "the whole history of this folder's project: every session to the trash, or back",
      kind: "folder",
      conflicts: ["all", "list"],
    },
    { flags: "--restore", text: "bring it back from the trash", conflicts: ["list"] },
    { flags: "--list", text: "show what is in the trash" },
  ],
  async run(context, { arguments: [id], options }) {
    if (options.list) return listTrash(context);
    const { project } = options;
    if (project !== undefined) {
      if (id !== undefined) throw usageError("rm", "Give either an id or --project");
      return options.restore ? undoReset(context, project) : resetProject(context, project);
    }
    if (id === undefined)
      throw usageError("rm", "Missing required argument 'id': a session or an ended task");
    return options.restore ? restore(context, id) : remove(context, id, options);
  },
});

// Sessions and tasks are told apart by their ids. A prefix that both have is asked about, never guessed.
async function remove(context: CommandContext, id: string, options: { all?: boolean }): Promise<void> {
  const { sessions: store } = await context.runtime();
  const { tasks } = await context.runtime();
  const session = await found(() => findNamedSession(context, id, options), "session_not_found");
  const task = await found(() => tasks.find(id), "task_not_found");
  if (session.value && task.value && session.value.sessionId !== id && task.value.record.id !== id) {
    throw new HoldfastError(`Cannot choose "${id}": a session and a task match`, {
      code: "task_ambiguous",
      fields: { candidates: [{ id: session.value.sessionId }, { id: task.value.record.id }] },
    });
  }
  if (session.value && task.value?.record.id !== id) return trash(context, { store, session: session.value });
  if (!task.value) throw parseTaskId(id) ? task.error : session.error;
  await tasks.remove(task.value);
  const { record } = task.value;
  if (context.isJson) return context.writeJson({ removed: { id: record.id, kind: record.kind } });
  context.say(`Removed task ${record.id} with its output.`);
}

/** What was found, or the error that says it was not. */
async function found<T>(
  find: () => T | Promise<T>,
  notFound: string,
): Promise<{ value: T; error?: undefined } | { value?: undefined; error: unknown }> {
  try {
    return { value: await find() };
  } catch (error) {
    if (codeOf(error) === notFound) return { error };
    throw error;
  }
}

async function trash(
  context: CommandContext,
  { store, session }: { store: SessionStore; session: SessionRef },
): Promise<void> {
  const trashed = await store.trash(session);
  const undo = `holdfast rm --restore ${terminalLine(trashed.sessionId)}`;
  if (context.isJson) return context.writeJson({ trashed: trashedJson(trashed), undo });
  context.say(
    `Moved session ${terminalLine(trashed.sessionId)} to the trash (${plural(trashed.files, "item")}). Undo: ${undo}`,
  );
}

async function restore(context: CommandContext, id: string): Promise<void> {
  const { sessions: store } = await context.runtime();
  const { sessionId, projectKey: project, path } = await store.restore(id);
  if (context.isJson) return context.writeJson({ restored: { sessionId, project, path } });
  context.say(
    `Restored session ${terminalLine(sessionId)} to ${displayPath(path, context.environment.userHome)}`,
  );
}

async function listTrash(context: CommandContext): Promise<void> {
  const { sessions: store } = await context.runtime();
  const trashed = await store.listTrash();
  if (context.isJson) return context.writeJson({ trash: trashed.map(trashedJson) });
  if (trashed.length === 0) return context.say("The trash is empty.");
  await context.writeLines(
    renderTable(trashed, columnsOf(trashed, context.environment.userHome), context.environment.stdout),
  );
}

function columnsOf(trashed: readonly TrashedSession[], userHome: string): TableColumn<TrashedSession>[] {
  const now = new Date();
  const { id, size, project, title } = sessionColumns(trashed, userHome);
  return [
    id,
    { title: "TRASHED", value: ({ trashedAt }) => formatAge(trashedAt, now), isRight: true },
    size,
    project,
    title,
  ];
}
