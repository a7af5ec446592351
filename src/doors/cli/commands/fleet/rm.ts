import { plural } from "../../../../lib/quantities.ts";
import type { Command } from "../../command.ts";
import { runArgument } from "./run-argument.ts";

export const command: Command = {
  arguments: [runArgument],
  examples: [{ line: "holdfast fleet rm 1b3e", text: "copies on other machines stay" }],
  async run(context, { arguments: [session = ""] }) {
    const { fleet } = await context.runtime();
    const removed = await fleet.remove(session);
    if (context.isJson) return context.writeJson({ ...removed });
    const { sessionId, events, objects } = removed;
    context.say(`Removed session ${sessionId}: ${plural(events, "event")}, ${plural(objects, "object")}.`);
  },
};
