import type { ToldItem } from "./mark-told.ts";
import type { RecoveredItem } from "./recovered-item.ts";

/** What a starting session, or a person, needs to know about background work. Newest first. */
export interface Recovery {
  running: RecoveredItem[];
  finishedUnseen: RecoveredItem[];
  /** Gone without an ending that anybody recorded, and not told yet. */
  lost: RecoveredItem[];
  /** Ended and told before: what a compaction makes a session forget. Only when asked for, of the session that asks. */
  seen: RecoveredItem[];
  /** Ended, and left to the client that runs it, which is about to tell this session. */
  leftToClient: RecoveredItem[];
  /** Told, as the transcript of a session shows, and still to be recorded so. */
  arrived: ToldItem[];
  /** The same work more than once, while it runs or waits to be read. */
  duplicates: DuplicateWork[];
}

export interface DuplicateWork {
  fingerprint: string;
  description: string;
  ids: string[];
}
