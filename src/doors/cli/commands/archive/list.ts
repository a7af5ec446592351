import type { ArchivedSession } from "../../../../store/archive/archived-sessions.ts";
import type { Command } from "../../command.ts";
import { formatAge, formatBytes, plural } from "../../../../lib/quantities.ts";
import { sessionColumns } from "../../render/session-columns.ts";
import { renderTable, type TableColumn } from "../../render/table.ts";

export const command: Command = {
  examples: [
    { line: "holdfast archive list", text: "with age, size and what each takes packed" },
    { line: "holdfast archive list --json", text: "for programs" },
  ],
  async run(context) {
    const { sessions: store } = await context.runtime();
    const { stdout, userHome } = context.environment;
    const archived = await store.listArchive();
    if (context.isJson) return context.writeJson({ archive: archived.map(archivedJson) });
    if (archived.length === 0)
      return context.say("The archive is empty. Pack old sessions: holdfast archive --older-than 60d");
    await context.writeLines(renderTable(archived, columnsOf(archived, userHome), stdout));
    const sum = (of: (session: ArchivedSession) => number): string =>
      formatBytes(archived.reduce((total, session) => total + of(session), 0));
    context.say(
      `${plural(archived.length, "session")}, ${sum(({ bytes }) => bytes)} in ${sum(({ storedBytes }) => storedBytes)}.`,
    );
  },
};

function archivedJson({ title, ...session }: ArchivedSession): Record<string, unknown> {
  return { ...session, title: title ?? null };
}

function columnsOf(archived: readonly ArchivedSession[], userHome: string): TableColumn<ArchivedSession>[] {
  const now = new Date();
  const { id, size, project, title } = sessionColumns(archived, userHome);
  return [
    id,
    { title: "AGE", value: ({ updatedAt }) => formatAge(updatedAt, now), isRight: true },
    { title: "ARCHIVED", value: ({ archivedAt }) => formatAge(archivedAt, now), isRight: true, dropOrder: 3 },
    size,
    { title: "PACKED", value: ({ storedBytes }) => formatBytes(storedBytes), isRight: true },
    project,
    { title: "STATE", value: ({ isLive }) => (isLive ? "copy" : "") },
    title,
  ];
}
