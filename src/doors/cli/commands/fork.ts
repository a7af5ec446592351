import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command } from "../command.ts";
import { plural } from "../../../lib/quantities.ts";
import { withProgress } from "../progress.ts";
import { sayFindings } from "../say-findings.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...sessionArgument, pick: "session" }],
  examples: [
    { line: "holdfast fork @last", text: "a copy of the newest session, to try something else in" },
    { line: "holdfast fork 1b3e --at 6f0c12ab", text: "start with the conversation up to this message" },
    { line: 'holdfast fork 1b3e --title "Plan B"', text: "with this title" },
  ],
  options: [
    allOption,
    {
      flags: "--at <uuid>",
      text: "the last message to copy, by its id or a unique beginning (default: the newest)",
      kind: "message",
    },
    { flags: "--title <title>", text: "the title of the new session" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { sessions: store } = await context.runtime();
    const source = await findNamedSession(context, id, options);
    const { at, title } = options;
    const { session, entries, elsewhere, rejections } = await withProgress(
      context,
      "Copying the conversation",
      store.fork(source, { at, title }),
    );
    const { sessionId, path, projectKey: project } = session;
    if (context.isJson) {
      return context.writeJson({
        sessionId,
        project,
        path,
        entries,
        forkedFrom: source.sessionId,
        elsewhere,
      });
    }
    await context.writeLines([terminalLine(sessionId)]);
    sayFindings(context, { rejections, elsewhere, shownBy: `holdfast show ${source.sessionId.slice(0, 8)}` });
    context.say(
      `Forked ${plural(entries, "entry", "entries")}. Continue it: claude --resume ${terminalLine(sessionId)}`,
    );
  },
});
