import { terminalLine } from "../../lib/terminal-text.ts";
import { codeOf } from "../../lib/errors.ts";
import type { SessionRef } from "../../store/find-session.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { TrashedSession } from "../../store/trash-session.ts";
import type { Task } from "../../tasks/task.ts";
import type { Command, CommandContext } from "../command.ts";
import { cliError } from "../errors.ts";
import { writeJsonObject } from "../json-output.ts";
import { displayPath } from "../render/display-path.ts";
import { formatAge, formatBytes, plural } from "../render/quantities.ts";
import { shortIds } from "../render/short-ids.ts";
import { makeStyle } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { sessionArgument } from "../session-argument.ts";

interface RmOptions {
  restore?: boolean;
  list?: boolean;
}

export const rm: Command<RmOptions> = {
  arguments: [{ ...sessionArgument, isOptional: true }],
  examples: [
    { line: "holdfast rm 1b3e", text: "into the trash, with its agents, to-dos and file history" },
    { line: "holdfast rm b3kd9x2m1", text: "an ended task, with its output" },
    { line: "holdfast rm --restore 1b3e", text: "a session back to where it was; --list shows the trash" },
  ],
  options: [
    { flags: "--restore", text: "bring it back from the trash", conflicts: ["list"] },
    { flags: "--list", text: "show what is in the trash" },
  ],
  async run(context, { arguments: [id], options }) {
    const isJson = options.json === true;
    if (options.list) return listTrash(context, { isJson });
    if (id === undefined) {
      throw cliError("usage", "Missing required argument 'id'", { fields: { help: "holdfast rm --help" } });
    }
    return options.restore ? restore(context, { id, isJson }) : remove(context, { id, isJson });
  },
};

interface SessionCall {
  id: string;
  isJson: boolean;
}

// Sessions and tasks are told apart by their ids; one that names neither is reported as an unknown session.
async function remove(context: CommandContext, { id, isJson }: SessionCall): Promise<void> {
  const store = await context.openSessions();
  let session: SessionRef;
  try {
    session = await store.find(id);
  } catch (error) {
    const task = codeOf(error) === "session_not_found" ? await findTask(context, id) : undefined;
    if (!task) throw error;
    await (await context.openTasks()).remove(task);
    if (isJson)
      return writeJsonObject(context.output, { removed: { id: task.record.id, kind: task.record.kind } });
    context.say(`Removed task ${task.record.id} with its output.`);
    return;
  }
  await trash(context, { store, session, isJson });
}

async function findTask(context: CommandContext, id: string): Promise<Task | undefined> {
  try {
    return (await context.openTasks()).find(id);
  } catch (error) {
    if (codeOf(error) === "task_not_found") return undefined;
    throw error;
  }
}

async function trash(
  context: CommandContext,
  { store, session, isJson }: { store: SessionStore; session: SessionRef; isJson: boolean },
): Promise<void> {
  const trashed = await store.trash(session);
  const undo = `holdfast rm --restore ${terminalLine(trashed.sessionId)}`;
  if (isJson) return writeJsonObject(context.output, { trashed: trashedJson(trashed), undo });
  context.say(
    `Moved session ${terminalLine(trashed.sessionId)} to the trash (${plural(trashed.files, "item")}). Undo: ${undo}`,
  );
}

async function restore(context: CommandContext, { id, isJson }: SessionCall): Promise<void> {
  const store = await context.openSessions();
  const { sessionId, projectKey: project, path } = await store.restore(id);
  if (isJson) return writeJsonObject(context.output, { restored: { sessionId, project, path } });
  context.say(
    `Restored session ${terminalLine(sessionId)} to ${displayPath(path, context.environment.userHome)}`,
  );
}

async function listTrash(context: CommandContext, { isJson }: { isJson: boolean }): Promise<void> {
  const { environment, output } = context;
  const store = await context.openSessions();
  const trashed = await store.listTrash();
  if (isJson) return writeJsonObject(output, { trash: trashed.map(trashedJson) });
  if (trashed.length === 0) return context.say("The trash is empty.");
  const table = renderTable(trashed, columnsOf(trashed), {
    columns: environment.stdout.columns,
    style: makeStyle(environment.stdout),
  });
  for (const line of table) await output.write(`${line}\n`);
}

function columnsOf(trashed: readonly TrashedSession[]): TableColumn<TrashedSession>[] {
  const now = new Date();
  const ids = shortIds(trashed.map(({ sessionId }) => sessionId));
  return [
    {
      title: "ID",
      value: ({ sessionId }) => terminalLine(ids.get(sessionId) ?? sessionId),
      paint: (text, style) => style.cyan(text),
    },
    { title: "TRASHED", value: ({ trashedAt }) => formatAge(trashedAt, now), isRight: true },
    { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true, dropOrder: 2 },
    {
      title: "PROJECT",
      value: ({ project }) => terminalLine(project),
      widthMin: 12,
      isPath: true,
      dropOrder: 1,
      paint: (text, style) => style.dim(text),
    },
    { title: "TITLE", value: ({ title }) => terminalLine(title ?? ""), widthMin: 20 },
  ];
}

function trashedJson({
  sessionId,
  project,
  title,
  trashedAt,
  files,
  bytes,
  dir,
}: TrashedSession): Record<string, unknown> {
  return { sessionId, project, title: title ?? null, trashedAt, files, bytes, path: dir };
}
