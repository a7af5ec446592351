import { codeOf } from "../../lib/errors.ts";
import { findUuid } from "../read/find-uuid.ts";
import type { SessionRef } from "./find-session.ts";
import { listSessions, type ListContext } from "./list-sessions.ts";

/** A message, and its session. */
export interface FoundMessage {
  session: SessionRef;
  uuid: string;
}

/** As lists show ids of messages, or longer. */
const SHORT_ID = /^[0-9a-f]{8}(?:-[0-9a-f-]*)?$/i;

/** Whether it may be the id of a message, whole or as it is shown. */
export function isMessageId(text: string): boolean {
  return SHORT_ID.test(text);
}

/**
 * The message whose id begins so, in the sessions of a project or of all, the newest first; undefined when there is none.
 * Reads the transcripts until it is found: nobody keeps a list of all ids. Throws `entry_ambiguous`.
 */
export async function findMessage(
  context: ListContext,
  { id, project }: { id: string; project?: string | undefined },
): Promise<FoundMessage | undefined> {
  if (!isMessageId(id)) return undefined;
  for (const { sessionId, project: projectKey, path } of listSessions(context, { project, counts: false })) {
    try {
      // A whole one must be looked for, too.
      const uuid = await findUuid(path, id.slice(0, WHOLE_LENGTH - 1));
      if (uuid.toLowerCase().startsWith(id.toLowerCase()))
        return { session: { sessionId, projectKey, path }, uuid };
    } catch (error) {
      if (codeOf(error) !== "entry_not_found" && codeOf(error) !== "not_a_transcript") throw error;
    }
  }
  return undefined;
}

const WHOLE_LENGTH = 36;
