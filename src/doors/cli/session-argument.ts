import type { SessionRef } from "../../store/list/find-session.ts";
import type { CommandArgument, CommandContext, CommandOption } from "./command.ts";
import { realDir } from "./real-dir.ts";

/** How every command is told which session is meant. */
export const sessionArgument: CommandArgument = {
  name: "id",
  text: "a session id or a unique beginning of one, @last for the newest of this project, or the path of a transcript",
  kind: "session",
};

/** The same for what is only read. */
export const transcriptArgument: CommandArgument = {
  ...sessionArgument,
  text: "a session id or a unique beginning of one, @last for the newest of this project, the path of a transcript, or the id of a sub-agent or message",
};

export const allOption: CommandOption & { flags: "--all" } = {
  flags: "--all",
  text: "with @last: the newest on this machine, not only of this project",
};

/** The session that was named. Says so where the newest of the project is not that of the machine. */
export async function findNamedSession(
  context: CommandContext,
  id: string,
  { all = false }: { all?: boolean | undefined } = {},
): Promise<SessionRef> {
  const { sessions } = await context.runtime();
  if (id !== "@last" || all) return sessions.find(id);
  const project = await sessions.projectOf(realDir(context.environment.cwd));
  const newest = await sessions.find(id, { project });
  if (!context.isJson && (await sessions.find(id)).path !== newest.path)
    context.say("holdfast: another project has a newer session: --all");
  return newest;
}
