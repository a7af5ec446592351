import { formatBytes, plural } from "../../../lib/quantities.ts";
import { shellWord } from "../../../lib/shell-quote.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import { realDir } from "../real-dir.ts";
import { displayPath } from "../render/display-path.ts";
import { trashedJson } from "./trashed-json.ts";

/** Moves the whole history of a folder's project to the trash, and says how to get it back. */
export async function resetProject(context: CommandContext, dir: string): Promise<void> {
  const { sessions: store } = await context.runtime();
  const { environment } = context;
  const project = realDir(environment.cwd, dir);
  const { id, sessions, archived } = await store.reset(project);
  const undo = `holdfast rm --restore --project ${shellWord(project)}`;
  if (context.isJson)
    return context.writeJson({ project, reset: id, trashed: sessions.map(trashedJson), archived, undo });
  const where = displayPath(project, environment.userHome);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  context.say(
    sessions.length === 0
      ? `${where} has no sessions.`
      : `Moved ${plural(sessions.length, "session")} of ${where} to the trash (${formatBytes(bytes)}). Undo: ${terminalLine(undo)}`,
  );
  if (archived > 0)
    context.say(
      `${plural(archived, "session")} of it in the archive ${archived === 1 ? "stays" : "stay"} there: holdfast archive list`,
    );
}

export async function undoReset(context: CommandContext, dir: string): Promise<void> {
  const { sessions: store } = await context.runtime();
  const { environment } = context;
  const project = realDir(environment.cwd, dir);
  const restored = await store.undoReset(project);
  if (context.isJson)
    return context.writeJson({
      project,
      restored: restored.map(({ sessionId, projectKey, path }) => ({ sessionId, project: projectKey, path })),
    });
  context.say(
    `Restored ${plural(restored.length, "session")} of ${displayPath(project, environment.userHome)}.`,
  );
}
