import type { Command } from "../../command.ts";
import { realDir } from "../../real-dir.ts";
import { runArgument } from "./run-argument.ts";

export const command: Command = {
  arguments: [runArgument],
  examples: [
    { line: "holdfast fleet follow 1b3e", text: "prints the task's id; its notice arrives here, too" },
  ],
  async run(context, { arguments: [session = ""] }) {
    const { fleet } = await context.runtime();
    const { record } = await fleet.follow(session, { cwd: realDir(context.environment.cwd) });
    if (context.isJson) return context.writeJson({ id: record.id, sessionId: record.remote!.sessionId });
    await context.output.write(`${record.id}\n`);
  },
};
