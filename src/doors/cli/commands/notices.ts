import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Notice } from "../../../index.ts";
import { noticeView } from "../../../runtime/views/notice-view.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { formatAge } from "../../../lib/quantities.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast notices", text: "ended tasks that nobody has been told about" },
    {
      line: "holdfast notices --session 1b3e… --consume",
      text: "take those of a session: nobody else gets them",
    },
    { line: "holdfast notices --consume --json", text: "with the text for a conversation" },
  ],
  options: [
    {
      flags: "--session <id>",
      text: "for this session, and for closed sessions of this project",
      kind: "session",
    },
    { flags: "--consume", text: "take them" },
  ],
  async run(context, { options }) {
    const { tasks } = await context.runtime();
    const { whenDelivered } = context;
    const { cwd, userName, stdout } = context.environment;
    const query = options.session === undefined ? {} : { sessionId: options.session, cwd };
    const found = options.consume
      ? await tasks.consumeNotices({ ...query, by: options.session ?? `cli:${userName}`, whenDelivered })
      : await tasks.notices(query);
    if (context.isJson) return context.writeJson({ notices: found.map(noticeView) });
    if (found.length === 0) return context.say("No notices.");
    await writeTable(context, found);
    if (!options.consume && stdout.isTerminal)
      context.say("These were not taken yet. Take them: holdfast notices --consume");
  },
});

async function writeTable(
  { environment, writeLines }: CommandContext,
  found: readonly Notice[],
): Promise<void> {
  const now = new Date();
  const columns: TableColumn<Notice>[] = [
    { title: "ID", value: ({ taskId }) => taskId, paint: "cyan" },
    { title: "ENDED", value: ({ endedAt }) => formatAge(endedAt, now), isRight: true, dropOrder: 1 },
    { title: "NOTICE", value: noticeText, widthMin: 20 },
  ];
  await writeLines(renderTable(found, columns, environment.stdout));
}

function noticeText({ summary, mayRepeat }: Notice): string {
  return `${terminalLine(summary)}${mayRepeat ? " (may be a repetition)" : ""}`;
}
