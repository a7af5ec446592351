import { entryOfText } from "../../format/line-entry.ts";
import type { FleetConnection } from "./connection.ts";
import { encodeEvent, type LogEvent, type TranscriptEntry } from "./log-event.ts";
import { putObject, readObject } from "./objects.ts";

/** Room in a message for its headers. */
const HEADER_BYTES = 16 * 1024;

/** An event as it goes into the log: a line that is too large for a message goes to the object store first. */
export async function encodeFitting(connection: FleetConnection, event: LogEvent): Promise<Uint8Array> {
  const data = encodeEvent(event);
  const bytesMax = (connection.nc.info?.max_payload ?? 0) - HEADER_BYTES;
  if (event.kind !== "entry" || data.byteLength <= bytesMax) return data;
  const sessionId = String(event.entry["sessionId"]);
  const line = Buffer.from(JSON.stringify(event.entry));
  return encodeEvent({ kind: "large-entry", ...(await putObject(connection, sessionId, line)) });
}

/** The line of a transcript that an event holds or names; undefined for all other events. */
export async function entryOf(
  connection: FleetConnection,
  event: LogEvent,
): Promise<TranscriptEntry | undefined> {
  if (event.kind === "entry") return event.entry;
  if (event.kind !== "large-entry") return undefined;
  return JSON.parse(await readObject(connection, event)) as TranscriptEntry;
}

/** Every line of a transcript that an event holds or names: what was said before the session came here, too. */
export async function entriesOf(connection: FleetConnection, event: LogEvent): Promise<TranscriptEntry[]> {
  if (event.kind !== "base") {
    const entry = await entryOf(connection, event);
    return entry ? [entry] : [];
  }
  const text = await readObject(connection, event);
  // A damaged line in a transcript that was sent away is no reason to lose the rest of it.
  return text.split("\n").flatMap((line) => (entryOfText(line) as TranscriptEntry | undefined) ?? []);
}
