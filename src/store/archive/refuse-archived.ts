import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { isPacked } from "./read-packed.ts";

/** The session itself, if it may be changed and has its companions beside it; else throws `session_archived`. */
export function refuseArchived(session: SessionRef): SessionRef {
  if (!isPacked(session.path)) return session;
  const { sessionId } = session;
  throw storeError("session_archived", `Cannot change session "${sessionId}": it is in the archive`, {
    fields: { sessionId },
  });
}
