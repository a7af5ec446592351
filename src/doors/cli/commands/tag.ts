import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command } from "../command.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [
    sessionArgument,
    { name: "tag", text: "a word or two; it takes the place of an earlier one", kind: "text" },
  ],
  examples: [
    { line: "holdfast tag @last release", text: "the newest session" },
    { line: 'holdfast tag 1b3e "to review"', text: "the one whose id begins with 1b3e" },
    { line: "holdfast tag 1b3e release --json", text: "and say so in JSON" },
  ],
  options: [allOption],
  async run(context, { arguments: [id = "", text = ""], options }) {
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    await store.tag(session, text);
    const { tag: stored = text } = await store.summary(session);
    if (context.isJson) return context.writeJson({ sessionId: session.sessionId, tag: stored });
    context.say(`Session ${terminalLine(session.sessionId)} is tagged "${terminalLine(stored)}".`);
  },
});
