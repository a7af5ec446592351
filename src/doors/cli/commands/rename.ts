import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command } from "../command.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [sessionArgument, { name: "title", text: "the new title, on one line", kind: "text" }],
  examples: [
    { line: 'holdfast rename @last "Fix the login"', text: "the newest session" },
    { line: 'holdfast rename 1b3e "Plan B"', text: "the one whose id begins with 1b3e" },
    { line: 'holdfast rename 1b3e "Plan B" --json', text: "with an answer in JSON" },
  ],
  options: [allOption],
  async run(context, { arguments: [id = "", title = ""], options }) {
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    await store.rename(session, title);
    const { title: stored = title } = await store.summary(session);
    if (context.isJson) return context.writeJson({ sessionId: session.sessionId, title: stored });
    context.say(`Session ${terminalLine(session.sessionId)} is now called "${terminalLine(stored)}".`);
  },
});
