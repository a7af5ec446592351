import { tagLengthMax, titleLengthMax } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { isThere } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import type { StoreContext } from "../write/session-writer.ts";
import { openTranscriptWriter } from "../write/transcript-writer.ts";

/** Gives a session a title, as the client does: one more line, the last one wins. */
export function renameSession(context: StoreContext, session: SessionRef, title: string): Promise<void> {
  const text = checkText(title, { what: "title", lengthMax: titleLengthMax });
  return appendNote(context, session, { type: "custom-title", customTitle: text });
}

/** Gives it a tag, the same way; without one, takes it away. */
export function tagSession(
  context: StoreContext,
  session: SessionRef,
  tag: string | undefined,
): Promise<void> {
  const text = tag === undefined ? "" : checkText(tag, { what: "tag", lengthMax: tagLengthMax });
  return appendNote(context, session, { type: "tag", tag: text });
}

// One whole line behind everything else harms no conversation, so a client that has the session open may keep it.
async function appendNote(
  { home, files }: StoreContext,
  { sessionId, path: file }: SessionRef,
  note: { type: string } & Record<string, unknown>,
): Promise<void> {
  // A writer would make the file anew, with nothing but the note in it.
  if (!isThere(file))
    throw storeError("session_not_found", `Cannot write session "${sessionId}": its file is gone`);
  const leaseDir = holdfastPaths(home).leasesDir;
  const writer = openTranscriptWriter({
    file,
    sessionId,
    leaseDir,
    durability: "sync",
    mustExist: true,
    ...(files && { files }),
  });
  try {
    await writer.append({ ...note, sessionId });
  } finally {
    await writer.close();
  }
}

function checkText(value: string, { what, lengthMax }: { what: string; lengthMax: number }): string {
  const text = value.replace(/\s+/g, " ").trim();
  if (text === "") throw new RangeError(`Cannot set ${what}: it is empty`);
  if (text.length > lengthMax)
    throw new RangeError(`Cannot set ${what}: ${text.length} characters are more than ${lengthMax}`);
  return text;
}
