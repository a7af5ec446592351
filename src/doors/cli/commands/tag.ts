import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command } from "../command.ts";
import { usageError } from "../errors.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [
    sessionArgument,
    {
      name: "tag",
      text: "a word or two; replaces an earlier tag",
      kind: "text",
      isOptional: true,
    },
  ],
  examples: [
    { line: "holdfast tag @last release", text: "the newest session" },
    { line: 'holdfast tag 1b3e "to review"', text: "the one whose id begins with 1b3e" },
    { line: "holdfast tag 1b3e --remove", text: "remove its tag" },
  ],
  options: [allOption, { flags: "--remove", text: "remove the tag" }],
  async run(context, { arguments: [id = "", text], options }) {
    const { remove = false } = options;
    if (remove === (text !== undefined))
      throw usageError(
        "tag",
        `Cannot tag: name ${remove ? "no tag with --remove" : "a tag, or give --remove"}`,
      );
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    await store.tag(session, text);
    const { tag: stored = text ?? "" } = await store.summary(session);
    const { sessionId } = session;
    if (context.isJson) return context.writeJson({ sessionId, tag: remove ? null : stored });
    const what = remove ? "has no tag now" : `is tagged "${terminalLine(stored)}"`;
    context.say(`Session ${terminalLine(sessionId)} ${what}.`);
  },
});
