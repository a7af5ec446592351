import { isUuid } from "../../format/ids.ts";
import { storeError, entryNotFound } from "../errors.ts";
import { LineSkimmer } from "../line/skim-line.ts";
import { scanTranscript } from "../line/scan-transcript.ts";

/**
 * The whole uuid of the entry that a person means: as it was typed, or the only one of the transcript that begins so. A
 * whole one is not looked for. Throws `entry_not_found` or `entry_ambiguous` (fields.candidates).
 */
export async function findUuid(
  file: string,
  typed: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  if (isUuid(typed)) return typed;
  const uuids = await uuidsBeginning(file, typed, { signal });
  if (uuids.includes(typed)) return typed;
  if (uuids.length === 1) return uuids[0]!;
  if (uuids.length === 0) throw entryNotFound(file, typed);
  throw storeError("entry_ambiguous", `Cannot choose entry "${typed}": ${uuids.length} entries match`, {
    fields: { candidates: uuids },
  });
}

async function uuidsBeginning(
  file: string,
  typed: string,
  options: { signal?: AbortSignal | undefined },
): Promise<string[]> {
  const beginning = Buffer.from(`"${typed}`);
  const wanted = beginning.subarray(1);
  const line = new LineSkimmer();
  const found = new Set<string>();
  const visit = (bytes: Buffer): void => {
    if (typed === "" || !bytes.includes(beginning) || !line.skim(bytes, 0, bytes.length)) return;
    const { start, end } = line.uuid;
    if (start >= 0 && bytes.subarray(start, start + wanted.length).equals(wanted))
      found.add(bytes.toString("latin1", start, end));
  };
  await scanTranscript(file, visit, options);
  return [...found];
}
