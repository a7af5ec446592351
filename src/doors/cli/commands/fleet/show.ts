import type { Command } from "../../command.ts";
import { writeConversation } from "../../conversation/write-conversation.ts";
import { runArgument } from "./run-argument.ts";

export const command: Command = {
  arguments: [runArgument],
  examples: [
    { line: "holdfast fleet show 1b3e", text: "whichever machine sent it" },
    { line: "holdfast fleet show 1b3e --json", text: "its state and every entry" },
  ],
  async run(context, { arguments: [id = ""] }) {
    const { fleet } = await context.runtime();
    const { session, entries } = await fleet.read(id);
    if (context.isJson) return context.writeJson({ session, entries });
    await writeConversation(context, entries);
  },
};
