import { uuidOf } from "../../format/entry-kinds.ts";
import fs from "node:fs";
import { streamEntries } from "../../store/read/stream-entries.ts";

/** The uuids of a transcript's entries. */
export async function scanUuids(file: string): Promise<Set<string>> {
  const uuids = new Set<string>();
  if (!fs.existsSync(file)) return uuids;
  for await (const line of streamEntries(file)) {
    const uuid = line.kind === "entry" ? uuidOf(line.entry) : undefined;
    if (uuid !== undefined) uuids.add(uuid);
  }
  return uuids;
}
