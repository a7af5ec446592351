import type { ClientAgent } from "../../../agents/client-agent.ts";
import { blocksIn, textsIn } from "../../../format/entry-kinds.ts";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import type { ShowOutputOptions } from "./show-output.ts";

/** What an agent of a client and its model said to each other; of one whose transcript is gone, its answer. */
export async function showClientAgent(
  context: CommandContext,
  { agentId, session, hasConversation, output }: ClientAgent,
  { tail, since, timestamps: hasTimes }: ShowOutputOptions,
): Promise<void> {
  const { sessionId } = session;
  if (!hasConversation) {
    const { content } = output;
    if (context.isJson) return context.writeJson({ id: agentId, sessionId, entries: [], content });
    const text = textsIn(blocksIn(content)).join("\n");
    if (text === "")
      return context.say(
        `holdfast: its transcript is gone, and no answer of it is known: holdfast inspect ${terminalLine(agentId)}`,
      );
    await context.output.write(`${context.environment.stdout.isTerminal ? terminalText(text) : text}\n`);
    return context.say("holdfast: its transcript is gone; this is its answer, as it was told when it ended");
  }
  const { sessions } = await context.runtime();
  const filter = since ? { since } : undefined;
  const conversation = await sessions.conversation(session, { last: tail, filter });
  try {
    async function* entries(): AsyncGenerator<
      ReturnType<typeof conversation.entries> extends Generator<infer E> ? E : never
    > {
      yield* conversation.entries();
    }
    if (context.isJson) return await context.writeJson({ id: agentId, sessionId, entries: entries() });
    const { writeConversation } = await import("../conversation/write-conversation.ts");
    await writeConversation(context, entries(), { hasTimes, retracted: conversation.retracted });
  } finally {
    conversation.close();
  }
}
