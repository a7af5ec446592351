import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import type { Runtime } from "../../runtime/index.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { CommandContext } from "./command.ts";
import { realDir } from "./real-dir.ts";
import { findNamedSession } from "./session-argument.ts";

/** What is to be read: a session, or an agent of one. */
export interface NamedTranscript {
  session: SessionRef;
  /** A message was named: read up to it. */
  leaf?: string;
}

/** What was named to be read: a session as everywhere; else an agent, or a message of this project. */
export async function findTranscript(
  context: CommandContext,
  id: string,
  options: { all?: boolean | undefined },
): Promise<NamedTranscript> {
  try {
    return { session: await findNamedSession(context, id, options) };
  } catch (error) {
    if (codeOf(error) !== "session_not_found" || id === "@last") throw error;
    const runtime = await context.runtime();
    const agent = (await runtime.sessions.findAgent(id)) ?? (await transcriptOfTask(runtime, id));
    if (agent) return { session: agent };
    const message = await runtime.sessions.findMessage(id, {
      project: options.all ? undefined : await runtime.sessions.projectOf(realDir(context.environment.cwd)),
    });
    if (!message) throw error;
    return { session: message.session, leaf: message.uuid };
  }
}

// An agent in the background may have a transcript of its own, which is not named after the task.
async function transcriptOfTask({ tasks }: Runtime, id: string): Promise<SessionRef | undefined> {
  try {
    const { transcript } = (await tasks.find(id)).record.agent ?? {};
    if (!transcript) return undefined;
    const { path: file, sessionId } = transcript;
    return { sessionId, projectKey: path.basename(path.dirname(file)), path: file };
  } catch (error) {
    if (codeOf(error) === "task_not_found") return undefined;
    throw error;
  }
}
