import { terminalLine } from "../../../lib/terminal-text.ts";
import type { SessionRef } from "../../../index.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
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
    { line: "holdfast tag 1b3e --remove", text: "remove its tag, whatever it is" },
  ],
  options: [allOption, { flags: "--remove", text: "remove the tag" }],
  async run(context, { arguments: [id = "", text], options }) {
    const { remove = false } = options;
    if (!remove && text === undefined) throw usageError("tag", "Cannot tag: name a tag, or give --remove");
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    if (remove && text !== undefined) await requireTag(context, session, text);
    await store.tag(session, remove ? undefined : text);
    const { tag: stored = text ?? "" } = await store.summary(session);
    const { sessionId } = session;
    if (context.isJson) return context.writeJson({ sessionId, tag: remove ? null : stored });
    const what = remove ? "has no tag now" : `is tagged "${terminalLine(stored)}"`;
    context.say(`Session ${terminalLine(sessionId)} ${what}.`);
  },
});

// Who names the tag that is to go means that one and no other.
async function requireTag(context: CommandContext, session: SessionRef, wanted: string): Promise<void> {
  const { sessions } = await context.runtime();
  const { tag } = await sessions.summary(session);
  if (tag === wanted) return;
  const has = tag === undefined ? "it has no tag" : `its tag is "${terminalLine(tag)}"`;
  throw usageError("tag", `Cannot remove tag "${terminalLine(wanted)}": ${has}`);
}
