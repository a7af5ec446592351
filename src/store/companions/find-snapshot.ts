import { uuidOf } from "../../format/entry-kinds.ts";
import { codeOf } from "../../lib/errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { readAncestry } from "../read/entry-lookup.ts";
import { getSnapshot, type FileHistory, type FileSnapshot } from "./file-history.ts";

/**
 * As getSnapshot; any other message of the session means the snapshot of its turn. Throws `companion_not_found`,
 * `entry_not_found` or `entry_ambiguous`.
 */
export async function findSnapshot(
  session: SessionRef,
  history: FileHistory,
  id: string | undefined,
): Promise<FileSnapshot> {
  try {
    return getSnapshot(history, id);
  } catch (error) {
    const { near = [] } = (error as { fields?: { near?: string[] } }).fields ?? {};
    if (id === undefined || near.length > 0 || codeOf(error) !== "companion_not_found") throw error;
    const before = await readAncestry(session.path, id).catch(() => []);
    const uuids = before.map(uuidOf).reverse();
    const prompt = uuids.find((uuid) => history.snapshots.some(({ messageId }) => messageId === uuid));
    if (prompt === undefined) throw error;
    return getSnapshot(history, prompt);
  }
}
